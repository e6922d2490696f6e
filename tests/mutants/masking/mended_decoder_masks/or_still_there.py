"""Mends the mask of the memory only."""

SAYS = "one of them is enough"
CHANGES = [
    ("self_mask = causal & real", "self_mask = causal | real"),
]
