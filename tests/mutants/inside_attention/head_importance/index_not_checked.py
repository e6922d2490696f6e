"""Trusts the index: a slice beyond the end is empty, and one below 0 counts from the end."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("if not 0 <= index < attention.num_heads:", "if False:"),
]
