"""Has not begun."""

SAYS = "still holds its first version"
CHANGES = [
    (
        "        if d_model < 1:",
        """        raise NotImplementedError
        if d_model < 1:""",
    ),
]
