"""Adds the terms in the place of subtracting one."""

SAYS = "every number is positive"
CHANGES = [
    ("return (torch.diag_embed(weights) - products) / scale", "return (torch.diag_embed(weights) + products) / scale"),
]
