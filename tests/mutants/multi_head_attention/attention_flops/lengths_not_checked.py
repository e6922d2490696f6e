"""Counts rows below zero."""

SAYS = "a negative"
CHANGES = [
    ("query_length < 0 or key_length < 0", "False"),
]
