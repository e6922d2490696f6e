"""Returns the keys and values of the new position alone."""

SAYS = "without the old cache"
CHANGES = [
    (
        """    if cache is not None:
""",
        """    new = key, value
    if cache is not None:
""",
    ),
    (
        "return attention.w_output(merge_heads(heads)), (key, value)",
        "return attention.w_output(merge_heads(heads)), new",
    ),
]
