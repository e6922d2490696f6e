"""Forgets the projection of the output."""

SAYS = "projection of the output is left out"
CHANGES = [
    ("2 * (query_length + key_length) * d_model * d_model", "(query_length + 2 * key_length) * d_model * d_model"),
]
