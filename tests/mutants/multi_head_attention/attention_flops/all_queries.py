"""Thinks of self-attention, where the lengths are equal."""

SAYS = "not query_length"
CHANGES = [
    ("2 * (query_length + key_length) * d_model * d_model", "4 * query_length * d_model * d_model"),
]
