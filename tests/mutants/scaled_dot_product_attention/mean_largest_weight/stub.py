"""Has not begun."""

SAYS = "still holds its first version"


def mean_largest_weight(d_k, divisor):
    raise NotImplementedError
