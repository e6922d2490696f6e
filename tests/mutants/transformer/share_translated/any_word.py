"""Takes one right word for a right sentence."""

SAYS = "one right word"
CHANGES = [
    ("right.all(dim=1)", "right.any(dim=1)"),
]
