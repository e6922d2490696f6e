"""Counts in numbers."""

SAYS = "dtype torch.float32"
CHANGES = [
    ("return reached", "return reached.float()"),
]
