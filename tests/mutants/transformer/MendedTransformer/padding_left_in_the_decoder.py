"""Hides padding from the encoder only."""

SAYS = "PAD at the end of the source moves"
SAME_AS = "padding_left"
CHANGES = [
    (
        "x = block(x, memory, causal_mask(target.shape[1]), source_mask)",
        "x = block(x, memory, causal_mask(target.shape[1]))",
    ),
]
