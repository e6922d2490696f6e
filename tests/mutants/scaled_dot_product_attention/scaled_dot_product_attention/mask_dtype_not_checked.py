"""Takes numbers for a mask."""

SAYS = "a mask of numbers"
CHANGES = [
    ("if mask.dtype != torch.bool:", "if mask.dtype != torch.bool:\n            mask = mask.bool()\n        if False:"),
]
