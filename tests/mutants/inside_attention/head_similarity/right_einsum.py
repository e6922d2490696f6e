"""Divides the table of products."""

CHANGES = [
    (
        "return directions @ directions.transpose(-2, -1)  # (layers, heads, heads)",
        """products = torch.einsum("lhmn,lgmn->lhg", weights, weights)
    divisor = lengths * lengths.transpose(-2, -1)
    return products / divisor.masked_fill(divisor == 0, 1.0)""",
    ),
]
