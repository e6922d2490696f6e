"""Has not begun."""

SAYS = "still holds its first version"


def share_on_padding(weights, lengths):
    raise NotImplementedError
