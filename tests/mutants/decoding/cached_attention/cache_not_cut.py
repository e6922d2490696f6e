"""Keeps the keys before they are cut into heads."""

SAYS = "before it is cut into heads"
CHANGES = [
    (
        """(key, value)
""",
        """(merge_heads(key), merge_heads(value))
""",
    )
]
