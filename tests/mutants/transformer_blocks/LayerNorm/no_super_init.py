"""Forgets super().__init__()."""

SAYS = "super().__init__()"
CHANGES = [
    (
        """        super().__init__()
""",
        "",
    ),
]
