"""Exchanges the two terms."""

SAYS = "two terms change places"
CHANGES = [
    ("return (torch.diag_embed(weights) - products) / scale", "return (products - torch.diag_embed(weights)) / scale"),
]
