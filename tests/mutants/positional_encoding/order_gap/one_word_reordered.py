"""Reorders the queries, and leaves keys and values."""

SAYS = "none of the mistakes"
CHANGES = [
    ("(second, second, second)", "(second, second, first)"),
]
