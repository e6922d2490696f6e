"""Leaves tanh out."""

SAYS = "tanh is missing"
CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        "return (from_query + keys @ w_key.T) @ v",
    ),
]
