"""Keeps the last mask for calls without one."""

SAYS = "comes out differently"
CHANGES = [
    (
        "mixed, weights = scaled_dot_product_attention(queries, keys, values, mask)",
        """kept = self.__dict__.setdefault('kept', {})
        shape = queries.shape, keys.shape
        mask = kept[shape] = kept.get(shape) if mask is None else mask
        mixed, weights = scaled_dot_product_attention(queries, keys, values, mask)""",
    ),
]
