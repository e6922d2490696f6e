"""Writes the product of the weights alone."""

SAYS = "the first term"
CHANGES = [
    ("return (torch.diag_embed(weights) - products) / scale", "return -products / scale"),
]
