"""Uses the padding mask alone."""

SAYS = "the causal mask is left out"
CHANGES = [
    ("self_mask = causal & real", "self_mask = real.expand(-1, 1, length, -1)"),
]
