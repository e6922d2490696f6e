"""Has not begun."""

SAYS = "still holds its first version"


def rank_agreement(first, second):
    raise NotImplementedError
