"""Compares the widths only."""

SAYS = "which would broadcast"
CHANGES = [
    (
        " or len(keys) != len(query)",
        "",
    ),
]
