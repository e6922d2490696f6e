"""Believes that mean and variance are constants."""

SAYS = "gradient with respect to argument number 1 differs"
CHANGES = [
    ("centred = x - x.mean(dim=-1, keepdim=True)", "centred = x - x.mean(dim=-1, keepdim=True).detach()"),
    (
        "variance = centred.square().mean(dim=-1, keepdim=True)  # (..., 1)",
        "variance = centred.square().mean(dim=-1, keepdim=True).detach()",
    ),
]
