"""Makes a causal mask by itself."""

SAYS = "makes a causal mask itself"
CHANGES = [
    (
        "self.self_attention(x, x, x, self_mask)",
        "self.self_attention(x, x, x, torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril())",
    ),
]
