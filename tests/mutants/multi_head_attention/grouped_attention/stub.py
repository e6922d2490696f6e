"""Has not begun."""

SAYS = "still holds its first version"


def grouped_attention(query, key, value):
    raise NotImplementedError
