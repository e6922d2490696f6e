"""Draws the queries in a hundred portions."""

CHANGES = [
    (
        "query, key = torch.randn(1000, 1, d_k), torch.randn(1000, 16, d_k)",
        "portions = [torch.randn(10, 16, d_k) @ torch.randn(10, d_k, 1) / divisor for _ in range(100)]",
    ),
    (
        "weights = softmax(query @ key.transpose(-2, -1) / divisor)  # (1000, 1, 16)",
        "weights = torch.cat([softmax(portion.squeeze(-1)) for portion in portions])",
    ),
]
