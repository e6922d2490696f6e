"""Has not begun."""

SAYS = "still holds its first version"
CHANGES = [
    (
        "        self.self_attention =",
        """        raise NotImplementedError
        self.self_attention =""",
    ),
]
