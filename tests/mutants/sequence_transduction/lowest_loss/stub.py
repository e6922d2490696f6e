"""Has not begun."""

SAYS = "still holds its first version"


def lowest_loss(vocab_size, smoothing):
    raise NotImplementedError
