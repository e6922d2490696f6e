"""Has not begun."""

SAYS = "still holds its first version"


def mended_ranking(hypotheses, alpha):
    raise NotImplementedError
