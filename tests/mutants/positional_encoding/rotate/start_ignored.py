"""Begins at position 0, always."""

SAYS = "none of the mistakes"
CHANGES = [
    ("torch.arange(start, start + length,", "torch.arange(length,"),
]
