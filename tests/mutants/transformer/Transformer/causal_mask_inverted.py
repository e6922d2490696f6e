"""Takes True for: hidden."""

SAYS = "the causal mask is negated"
CHANGES = [
    ("combine_masks(causal, ", "combine_masks(~causal, "),
]
