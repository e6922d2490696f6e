"""Takes mean and variance over the positions of a sentence."""

SAYS = "over the positions"
CHANGES = [
    ("centred = x - x.mean(dim=-1, keepdim=True)", "centred = x - x.mean(dim=-2, keepdim=True)"),
    (
        "variance = centred.square().mean(dim=-1, keepdim=True)  # (..., 1)",
        "variance = centred.square().mean(dim=-2, keepdim=True)",
    ),
]
