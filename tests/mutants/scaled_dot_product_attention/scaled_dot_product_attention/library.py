"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return weights @ value, weights  # (..., m, d_v), (..., m, n)",
        """from transformer_course import scaled_dot_product_attention as library

    return library.scaled_dot_product_attention(query, key, value, mask)""",
    ),
]
