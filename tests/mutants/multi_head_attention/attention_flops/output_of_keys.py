"""Believes that the output has a row for every key."""

SAYS = "like the query"
CHANGES = [
    ("2 * (query_length + key_length) * d_model * d_model", "(query_length + 3 * key_length) * d_model * d_model"),
]
