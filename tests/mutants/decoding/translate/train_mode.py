"""Does not switch to eval mode."""

SAYS = "while in train mode"
CHANGES = [
    (
        """    model.eval()
""",
        "",
    )
]
