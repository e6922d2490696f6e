"""Multiplies with the derivative of the inner function's inverse."""

SAYS = "multiplied where it should be divided"
CHANGES = [
    ("return (torch.diag_embed(weights) - products) / scale", "return (torch.diag_embed(weights) - products) * scale"),
]
