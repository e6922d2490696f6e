"""Has not begun."""

SAYS = "still holds its first version"


def shift_matrix(offset, d_model):
    raise NotImplementedError
