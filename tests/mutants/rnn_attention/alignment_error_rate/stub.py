"""Has not begun."""

SAYS = "still holds its first version"


def alignment_error_rate(weights, sure, possible=None):
    raise NotImplementedError
