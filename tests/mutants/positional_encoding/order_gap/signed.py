"""Forgets that a difference may be negative."""

SAYS = "without its sign"
CHANGES = [
    (".abs()", ""),
]
