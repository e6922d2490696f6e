"""Forgets to call the constructor of nn.Module."""

SAYS = "`super().__init__()` is missing"
CHANGES = [
    (
        """        super().__init__()
""",
        "",
    ),
]
