"""Shows the first words of the target the beginning of the source only."""

SAYS = "the causal mask is used for the memory too"
CHANGES = [
    (
        "x = block(x, memory, self_mask, memory_mask)",
        ("x = block(x, memory, self_mask, memory_mask & torch.ones(x.shape[1], memory.shape[1]).bool().tril())"),
    ),
]
