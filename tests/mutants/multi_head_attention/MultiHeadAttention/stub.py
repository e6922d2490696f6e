"""Has not begun."""

SAYS = "still holds its first version"
CHANGES = [
    (
        "        if num_heads < 1",
        """        raise NotImplementedError
        if num_heads < 1""",
    ),
]
