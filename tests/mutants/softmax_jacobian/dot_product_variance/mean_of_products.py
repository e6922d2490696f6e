"""Averages the products in the place of summing them."""

SAYS = "q . k is divided by d_k"
CHANGES = [
    ("return (query * key).sum(dim=-1).var().item()", "return (query * key).mean(dim=-1).var().item()"),
]
