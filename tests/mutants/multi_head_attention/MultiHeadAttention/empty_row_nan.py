"""Computes softmax of a row of -inf."""

SAYS = "NaN"
CHANGES = [
    (
        "mixed, weights = scaled_dot_product_attention(queries, keys, values, mask)",
        """scores = queries @ keys.transpose(-2, -1) / self.d_k**0.5
        if mask is not None:
            if mask.dtype != torch.bool:
                raise ValueError('mask')
            scores = scores.masked_fill(~mask, -float('inf'))
        weights = torch.softmax(scores, dim=-1)
        mixed = weights @ values""",
    ),
]
