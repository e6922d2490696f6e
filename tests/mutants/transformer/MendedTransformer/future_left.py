"""Leaves the decoder without a causal mask."""

SAYS = "moves logits before it"
CHANGES = [
    ("x = block(x, memory, causal_mask(target.shape[1]), source_mask)", "x = block(x, memory, None, source_mask)"),
]
