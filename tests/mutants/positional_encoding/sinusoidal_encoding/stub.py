"""Has not begun."""

SAYS = "still holds its first version"


def sinusoidal_encoding(length, d_model):
    raise NotImplementedError
