"""Multiplies, which for booleans needs numbers."""

SAYS = "dtype torch.int64"
CHANGES = [
    (
        "combined = mask if combined is None else combined & mask",
        "combined = mask.long() if combined is None else combined * mask.long()",
    ),
]
