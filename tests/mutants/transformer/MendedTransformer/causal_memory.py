"""Uses the causal mask for the memory too."""

SAYS = "the causal mask is used for the memory too"
CHANGES = [
    (
        "x = block(x, memory, causal_mask(target.shape[1]), source_mask)",
        (
            "x = block(x, memory, causal_mask(target.shape[1]), torch.ones(target.shape[1], "
            "source.shape[1]).tril().bool() & source_mask)"
        ),
    ),
]
