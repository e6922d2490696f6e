"""Leaves it to torch to complain."""

SAYS = "RuntimeError"
CHANGES = [
    ("num_heads < 1 or d_model % num_heads != 0", "False"),
]
