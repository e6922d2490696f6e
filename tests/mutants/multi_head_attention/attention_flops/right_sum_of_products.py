"""Adds up one matrix product after the other."""

CHANGES = [
    (
        "return projections + products",
        """d_k = d_model // num_heads
    total = 0
    for rows in (query_length, key_length, key_length, query_length):
        total += rows * d_model * d_model
    for _ in range(num_heads):
        total += query_length * d_k * key_length + query_length * key_length * d_k
    return total""",
    ),
]
