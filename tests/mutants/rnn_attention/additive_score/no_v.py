"""Sums without v."""

SAYS = "without `v`"
CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        "return torch.tanh(from_query + keys @ w_key.T).sum(dim=-1)",
    ),
]
