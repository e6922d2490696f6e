"""Repeats the key heads as a whole."""

SAYS = "0 1 2 0 1 2"
CHANGES = [
    (
        "return output.flatten(1, 2)",
        """key, value = (x.repeat(1, heads // groups, 1, 1) for x in (key, value))
    return scaled_dot_product_attention(query, key, value)[0]""",
    ),
]
