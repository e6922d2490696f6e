"""Forgets the transpose."""

SAYS = "two shapes that do not fit"
CHANGES = [
    (
        "query @ w_query.T",
        "query @ w_query",
    ),
]
