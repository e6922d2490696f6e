"""Forgets the query."""

SAYS = "part of the query is lost"
CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        "return torch.tanh(keys @ w_key.T) @ v",
    ),
]
