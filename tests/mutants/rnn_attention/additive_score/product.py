"""Multiplies query and key."""

SAYS = "multiplied, not added"
CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        "return torch.tanh(from_query * (keys @ w_key.T)) @ v",
    ),
]
