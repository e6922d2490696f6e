"""Forgets to let nn.Module prepare itself."""

SAYS = "super().__init__()"
CHANGES = [
    (
        """        super().__init__()
""",
        "",
    ),
]
