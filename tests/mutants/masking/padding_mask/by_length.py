"""Counts the real tokens and expects them in front."""

SAYS = "padding at the end"
CHANGES = [
    (
        "return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)",
        "return (torch.arange(tokens.shape[1]) < (tokens != pad_id).sum(1, keepdim=True))[:, None, None, :]",
    ),
]
