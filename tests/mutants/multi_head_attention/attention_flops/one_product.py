"""Forgets the product with the values."""

SAYS = "one of the two matrix products"
CHANGES = [
    ("2 * query_length * key_length * d_model", "query_length * key_length * d_model"),
]
