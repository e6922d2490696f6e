"""Counts the products of one head."""

SAYS = "one head alone"
CHANGES = [
    ("2 * query_length * key_length * d_model", "2 * query_length * key_length * d_model // num_heads"),
]
