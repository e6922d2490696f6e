"""Takes sigmoid for tanh."""

SAYS = "sigmoid in the place of tanh"
CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        "return torch.sigmoid(from_query + keys @ w_key.T) @ v",
    ),
]
