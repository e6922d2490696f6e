"""Has not begun."""

SAYS = "still holds its first version"


def order_gap(x, order, encoding=None):
    raise NotImplementedError
