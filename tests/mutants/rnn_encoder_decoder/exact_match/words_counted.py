"""Counts words."""

SAYS = "one wrong word spoils"
CHANGES = [
    (
        ".all(dim=1).double()",
        ".double()",
    ),
]
