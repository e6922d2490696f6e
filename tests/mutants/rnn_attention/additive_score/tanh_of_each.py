"""Takes tanh of query and key apart."""

SAYS = "each part on its own"
CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        "return (torch.tanh(from_query) + torch.tanh(keys @ w_key.T)) @ v",
    ),
]
