"""Lays heads and batch into one dimension."""

CHANGES = [
    (
        "mixed, weights = scaled_dot_product_attention(queries, keys, values, mask)",
        """shape = (query.shape[0], self.num_heads, query.shape[1], key.shape[1])
        if query.shape[0] != key.shape[0]:
            raise ValueError('key: expected the batch of query')
        if mask is not None:
            if mask.dtype != torch.bool:
                raise ValueError('mask: expected torch.bool')
            try:
                mask = mask.expand(shape).flatten(0, 1)
            except RuntimeError:
                raise ValueError('mask: expected a shape that broadcasts') from None
        mixed, weights = scaled_dot_product_attention(
            queries.flatten(0, 1), keys.flatten(0, 1), values.flatten(0, 1), mask
        )
        mixed, weights = mixed.unflatten(0, shape[:2]), weights.view(shape)""",
    ),
]
