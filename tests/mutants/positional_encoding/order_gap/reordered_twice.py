"""Reorders the words of the second run once more."""

SAYS = "reordered twice"
CHANGES = [
    (
        "after, _ = scaled_dot_product_attention(second, second, second)",
        """second = second[order]
    after, _ = scaled_dot_product_attention(second, second, second)""",
    ),
]
