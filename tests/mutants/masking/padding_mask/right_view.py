"""Reshapes at the end."""

CHANGES = [
    (
        "return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)",
        "return torch.ne(tokens, pad_id).view(tokens.shape[0], 1, 1, tokens.shape[1])",
    ),
]
