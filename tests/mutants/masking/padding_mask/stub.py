"""Has not begun."""

SAYS = "still holds its first version"


def padding_mask(tokens, pad_id=0):
    raise NotImplementedError
