"""Has not begun."""

SAYS = "still holds its first version"


def dot_product_variance(d_k, num_samples=10_000, generator=None):
    raise NotImplementedError
