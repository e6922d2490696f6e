"""Makes a mask of 0 and 1."""

SAYS = "dtype torch.float32"
CHANGES = [
    (
        "return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)",
        "return (tokens != pad_id).float()[:, None, None, :]",
    ),
]
