"""Multiplies by v without the sum."""

SAYS = "the sum over d_a is missing"
CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        "return torch.tanh(from_query + keys @ w_key.T) * v",
    ),
]
