"""Has not begun."""

SAYS = "still holds its first version"


def influence(attention, query, key, value):
    raise NotImplementedError
