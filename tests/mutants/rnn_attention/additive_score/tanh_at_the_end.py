"""Takes tanh of the score."""

SAYS = "tanh comes after"
CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        "return torch.tanh((from_query + keys @ w_key.T) @ v)",
    ),
]
