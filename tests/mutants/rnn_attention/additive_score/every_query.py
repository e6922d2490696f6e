"""Compares every query with all keys."""

SAYS = "every query is compared"
CHANGES = [
    (
        ".unsqueeze(1)  #",
        ".unsqueeze(1).unsqueeze(1)  #",
    ),
]
