"""Counts heads from the end, as lists do."""

SAYS = "an index of -1"
CHANGES = [
    ("if not 0 <= index < attention.num_heads:", "if not -attention.num_heads <= index < attention.num_heads:"),
]
