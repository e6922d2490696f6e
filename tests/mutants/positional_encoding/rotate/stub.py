"""Has not begun."""

SAYS = "still holds its first version"


def rotate(x, start=0):
    raise NotImplementedError
