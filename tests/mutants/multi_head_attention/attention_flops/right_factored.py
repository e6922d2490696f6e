"""Puts the common factor in front."""

CHANGES = [
    ("projections + products", "2 * d_model * (d_model * (query_length + key_length) + query_length * key_length)"),
]
