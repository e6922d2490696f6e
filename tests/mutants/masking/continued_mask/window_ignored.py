"""Does not use the window."""

SAYS = "not right"
CHANGES = [
    ("mask = mask & (query - key < window)", "pass"),
]
