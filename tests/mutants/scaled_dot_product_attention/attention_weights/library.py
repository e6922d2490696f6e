"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return softmax(scores)",
        "from transformer_course.scaled_dot_product_attention import attention_weights as theirs\n    return theirs(query, key)",
    ),
]
