"""Has not begun."""

SAYS = "still holds its first version"
CHANGES = [
    (
        "        if d_model < 1 or",
        """        raise NotImplementedError
        if d_model < 1 or""",
    ),
]
