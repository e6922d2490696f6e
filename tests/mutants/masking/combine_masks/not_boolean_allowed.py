"""Takes integers for masks."""

SAYS = "does not look at its arguments"
CHANGES = [
    (" or mask.dtype != torch.bool", ""),
]
