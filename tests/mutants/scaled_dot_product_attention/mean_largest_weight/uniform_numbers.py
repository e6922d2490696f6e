"""Draws numbers from 0 to 1 in the place of standard normal ones."""

SAYS = "not what such queries and keys give"
CHANGES = [
    (
        "query, key = torch.randn(1000, 1, d_k), torch.randn(1000, 16, d_k)",
        "query, key = torch.rand(1000, 1, d_k), torch.rand(1000, 16, d_k)",
    ),
]
