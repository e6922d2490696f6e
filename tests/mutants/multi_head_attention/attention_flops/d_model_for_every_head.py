"""Believes that every head works on d_model columns."""

SAYS = "it has d_k"
CHANGES = [
    ("2 * query_length * key_length * d_model", "2 * query_length * key_length * d_model * num_heads"),
]
