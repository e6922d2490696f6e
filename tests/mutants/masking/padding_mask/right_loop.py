"""Goes through the sentences one by one."""

CHANGES = [
    (
        "return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)",
        """rows = [[bool(token != pad_id) for token in sentence] for sentence in tokens]
    return torch.tensor(rows, dtype=torch.bool).reshape(tokens.shape[0], 1, 1, tokens.shape[1])""",
    ),
]
