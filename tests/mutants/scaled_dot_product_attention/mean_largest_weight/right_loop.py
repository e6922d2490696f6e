"""Draws one query after the other."""

CHANGES = [
    (
        "query, key = torch.randn(1000, 1, d_k), torch.randn(1000, 16, d_k)",
        "rows = [torch.randn(16, d_k) @ torch.randn(d_k) / divisor for _ in range(1000)]",
    ),
    (
        "weights = softmax(query @ key.transpose(-2, -1) / divisor)  # (1000, 1, 16)",
        "weights = torch.stack([softmax(row) for row in rows])",
    ),
]
