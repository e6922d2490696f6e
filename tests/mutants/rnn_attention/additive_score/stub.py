"""Has not begun."""

SAYS = "still holds its first version"


def additive_score(query, keys, w_query, w_key, v):
    raise NotImplementedError
