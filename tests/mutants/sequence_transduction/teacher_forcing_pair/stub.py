"""Has not begun."""

SAYS = "still holds its first version"


def teacher_forcing_pair(target):
    raise NotImplementedError
