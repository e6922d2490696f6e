"""Returns softmax of the scores."""

SAYS = "these are weights, not scores"
CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        "return (torch.tanh(from_query + keys @ w_key.T) @ v).softmax(dim=-1)",
    ),
]
