"""Counts softmax too."""

SAYS = "it is no matrix product"
CHANGES = [
    ("projections + products", "projections + products + num_heads * query_length * key_length"),
]
