"""Trusts its input."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("if len(first) != len(second) or len(first) < 2:", "if False:"),
]
