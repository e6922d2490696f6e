"""Has not begun."""

SAYS = "still holds its first version"


def exact_match(written, wanted):
    raise NotImplementedError
