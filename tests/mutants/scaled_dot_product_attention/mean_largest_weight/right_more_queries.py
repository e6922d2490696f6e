"""Draws more queries than asked, which only makes the mean more exact."""

CHANGES = [
    (
        "query, key = torch.randn(1000, 1, d_k), torch.randn(1000, 16, d_k)",
        "query, key = torch.randn(3000, 1, d_k), torch.randn(3000, 16, d_k)",
    ),
]
