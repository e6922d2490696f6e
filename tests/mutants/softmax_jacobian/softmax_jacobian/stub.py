"""Has not begun."""

SAYS = "still holds its first version"


def softmax_jacobian(scores, scale=1.0):
    raise NotImplementedError
