"""Takes tanh of the score once more."""

SAYS = "a second time"
CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        "return torch.tanh(torch.tanh(from_query + keys @ w_key.T) @ v)",
    ),
]
