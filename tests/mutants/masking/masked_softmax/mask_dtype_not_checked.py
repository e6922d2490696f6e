"""Takes numbers for a mask."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if mask.dtype != torch.bool:",
        """mask = mask.bool()
        if False:""",
    ),
]
