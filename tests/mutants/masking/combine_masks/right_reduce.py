"""Folds the masks together."""

CHANGES = [
    (
        "return combined",
        """import functools
    import operator

    given = [mask for mask in masks if mask is not None]
    return functools.reduce(operator.and_, given) if given else None""",
    ),
]
