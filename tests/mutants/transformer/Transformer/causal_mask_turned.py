"""Transposes the causal mask."""

SAYS = "the causal mask is transposed"
CHANGES = [
    ("combine_masks(causal, ", "combine_masks(causal.T, "),
]
