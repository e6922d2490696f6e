"""Counts heads that cannot exist."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("num_heads < 1 or d_model % num_heads != 0", "False"),
]
