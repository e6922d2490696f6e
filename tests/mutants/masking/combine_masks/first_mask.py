"""Keeps the first mask."""

SAYS = "mask number 1 alone"
CHANGES = [
    (
        "combined = mask if combined is None else combined & mask",
        "combined = mask if combined is None else combined & torch.ones_like(mask)",
    ),
]
