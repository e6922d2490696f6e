"""Has not begun."""

SAYS = "still holds its first version"


def nucleus(logits, p, temperature=1.0):
    raise NotImplementedError
