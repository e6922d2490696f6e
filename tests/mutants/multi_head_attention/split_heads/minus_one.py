"""Lets -1 stand for any number of heads."""

SAYS = "minus one head"
CHANGES = [
    ("num_heads < 1 or d_model", "num_heads == 0 or d_model"),
]
