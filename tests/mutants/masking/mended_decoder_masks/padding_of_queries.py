"""Puts the padding where the queries are."""

SAYS = "the right to ask"
CHANGES = [
    ("self_mask = causal & real", "self_mask = causal & (target != PAD)[:, None, :, None]"),
]
