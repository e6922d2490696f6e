"""Divides the variance by d - 1."""

SAYS = "divided by d_model - 1"
CHANGES = [
    ("variance = centred.square().mean(dim=-1, keepdim=True)  # (..., 1)", "variance = x.var(dim=-1, keepdim=True)"),
]
