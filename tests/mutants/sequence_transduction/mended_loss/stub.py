"""Has not begun."""

SAYS = "still holds its first version"


def mended_loss(logits, target):
    raise NotImplementedError
