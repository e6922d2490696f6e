"""Returns nothing."""

SAYS = "it returned None"
CHANGES = [
    (
        """    return loss.item()
""",
        "",
    ),
]
