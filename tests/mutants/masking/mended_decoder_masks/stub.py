"""Has not begun."""

SAYS = "still holds its first version"


def mended_decoder_masks(source, target):
    raise NotImplementedError
