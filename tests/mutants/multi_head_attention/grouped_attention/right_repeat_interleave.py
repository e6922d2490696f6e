"""Copies every key head for its query heads."""

CHANGES = [
    (
        "return output.flatten(1, 2)",
        """key, value = (x.repeat_interleave(heads // groups, dim=1) for x in (key, value))
    return scaled_dot_product_attention(query, key, value)[0]""",
    ),
]
