"""Takes the mean in the place of v."""

SAYS = "a mean over d_a"
CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        "return torch.tanh(from_query + keys @ w_key.T).mean(dim=-1)",
    ),
]
