"""Has not begun."""

SAYS = "still holds its first version"


def length_penalty(length, alpha):
    raise NotImplementedError
