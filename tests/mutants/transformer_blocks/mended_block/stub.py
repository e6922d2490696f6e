"""Has not begun."""

SAYS = "still holds its first version"


def mended_block(x, attend, think, norm_1, norm_2):
    raise NotImplementedError
