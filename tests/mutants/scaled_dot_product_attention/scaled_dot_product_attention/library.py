"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return weights @ value, weights  # (..., m, d_v), (..., m, n)",
        "from transformer_course.scaled_dot_product_attention import scaled_dot_product_attention as theirs\n    return theirs(query, key, value, mask)",
    ),
]
