"""Takes numbers for a mask."""

SAYS = "a mask of numbers"
CHANGES = [
    (
        "if mask.dtype != torch.bool:",
        """if mask.dtype != torch.bool:
            mask = mask.bool()
        if False:""",
    ),
]
