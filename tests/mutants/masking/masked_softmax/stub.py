"""Has not begun."""

SAYS = "still holds its first version"


def masked_softmax(scores, mask=None):
    raise NotImplementedError
