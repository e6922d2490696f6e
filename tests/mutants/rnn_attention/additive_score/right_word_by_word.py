"""Computes one column of scores after the other."""

CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        """columns = [torch.tanh(query @ w_query.T + key @ w_key.T) @ v for key in keys.unbind(1)]
    return torch.stack(columns, dim=1)""",
    ),
]
