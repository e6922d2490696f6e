"""Attends in one head after the other."""

CHANGES = [
    (
        "mixed, weights = scaled_dot_product_attention(queries, keys, values, mask)",
        """if mask is not None:
            if mask.dtype != torch.bool:
                raise ValueError('mask: expected torch.bool')
            try:
                mask = mask.expand(*queries.shape[:3], keys.shape[2])
            except RuntimeError:
                raise ValueError('mask: expected a shape that broadcasts') from None
        results = [
            scaled_dot_product_attention(
                queries[:, i], keys[:, i], values[:, i], None if mask is None else mask[:, i]
            )
            for i in range(self.num_heads)
        ]
        mixed, weights = (torch.stack(each, 1) for each in zip(*results, strict=True))""",
    ),
]
