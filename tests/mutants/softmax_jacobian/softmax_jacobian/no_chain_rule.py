"""Forgets that the inner function, the division by scale, has a derivative too."""

SAYS = "1 / scale of the chain rule is missing"
CHANGES = [
    ("return (torch.diag_embed(weights) - products) / scale", "return (torch.diag_embed(weights) - products)"),
]
