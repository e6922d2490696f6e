"""Has not begun."""

SAYS = "still holds its first version"


def layer_norm_backward(x, weight, grad_output, eps=1e-5):
    raise NotImplementedError
