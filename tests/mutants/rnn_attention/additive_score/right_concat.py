"""Writes Luong's form: one matrix times the two vectors, one above the other."""

CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        """both = torch.cat([query.unsqueeze(1).expand(-1, keys.shape[1], -1), keys], dim=-1)
    return torch.tanh(F.linear(both, torch.cat([w_query, w_key], dim=1))) @ v""",
    ),
]
