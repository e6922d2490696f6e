"""Multiplies booleans."""

CHANGES = [
    ("self_mask = causal & real", "self_mask = causal[None, None] * real"),
]
