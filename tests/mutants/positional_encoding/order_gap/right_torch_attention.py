"""Calls torch's attention, with a batch of two sentences."""

CHANGES = [
    (
        """    before, _ = scaled_dot_product_attention(first, first, first)
""",
        "",
    ),
    (
        "after, _ = scaled_dot_product_attention(second, second, second)",
        """both = torch.stack([first, second])
    before, after = torch.nn.functional.scaled_dot_product_attention(both, both, both)""",
    ),
]
