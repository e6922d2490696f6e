"""Takes a negative eps."""

SAYS = "a negative eps"
CHANGES = [
    ("eps < 0", "False"),
]
