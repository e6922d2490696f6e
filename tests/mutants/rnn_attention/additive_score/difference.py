"""Subtracts the key from the query."""

SAYS = "subtracted, not added"
CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        "return torch.tanh(from_query - keys @ w_key.T) @ v",
    ),
]
