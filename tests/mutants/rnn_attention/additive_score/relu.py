"""Takes relu for tanh, as newer networks do."""

SAYS = "relu in the place of tanh"
CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        "return torch.relu(from_query + keys @ w_key.T) @ v",
    ),
]
