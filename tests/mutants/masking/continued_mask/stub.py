"""Has not begun."""

SAYS = "still holds its first version"


def continued_mask(new_length, total_length, window=None):
    raise NotImplementedError
