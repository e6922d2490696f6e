"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return softmax(scores)",
        """from transformer_course import scaled_dot_product_attention as library

    return library.attention_weights(query, key)""",
    ),
]
