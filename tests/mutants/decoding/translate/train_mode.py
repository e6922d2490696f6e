"""Does not switch to eval mode."""

SAYS = "`model.eval()` is missing"
CHANGES = [
    (
        """    model.eval()
""",
        "",
    )
]
