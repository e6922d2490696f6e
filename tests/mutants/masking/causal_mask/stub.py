"""Has not begun."""

SAYS = "still holds its first version"


def causal_mask(length, device=None):
    raise NotImplementedError
