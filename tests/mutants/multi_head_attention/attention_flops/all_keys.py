"""Takes key_length for all projections."""

SAYS = "not key_length"
CHANGES = [
    ("2 * (query_length + key_length) * d_model * d_model", "4 * key_length * d_model * d_model"),
]
