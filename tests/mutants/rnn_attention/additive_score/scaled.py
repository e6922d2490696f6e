"""Divides by sqrt(d_a)."""

SAYS = "they are scaled"
CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        "return torch.tanh(from_query + keys @ w_key.T) @ v / len(v) ** 0.5",
    ),
]
