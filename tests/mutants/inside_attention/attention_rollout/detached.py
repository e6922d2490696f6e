"""Cuts the graph."""

SAYS = "no gradient flows"
CHANGES = [
    (
        "for attention in weights.mean(dim=1):  # (n, n), the first layer first",
        "for attention in weights.detach().mean(dim=1):  # (n, n), the first layer first",
    ),
]
