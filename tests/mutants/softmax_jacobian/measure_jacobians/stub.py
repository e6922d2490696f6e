"""Has not begun."""

SAYS = "still holds its first version"


def measure_jacobians(n, d_k, divisor, num_samples=300):
    raise NotImplementedError
