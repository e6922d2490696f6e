"""Sorts the worst to the front."""

SAYS = "lowest score stands first"
CHANGES = [
    (
        ", reverse=True",
        "",
    ),
]
