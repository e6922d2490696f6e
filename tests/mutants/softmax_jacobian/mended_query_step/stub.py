"""Has not begun."""

SAYS = "still holds its first version"


def mended_query_step(query, key, value, target, step_size):
    raise NotImplementedError
