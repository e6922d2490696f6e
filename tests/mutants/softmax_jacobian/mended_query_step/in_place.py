"""Moves the caller's query."""

SAYS = "works in place"
CHANGES = [
    (
        "return query - step_size * grad_query",
        """query -= step_size * grad_query
    return query""",
    ),
]
