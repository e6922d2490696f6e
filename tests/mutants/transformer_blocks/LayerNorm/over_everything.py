"""Takes one mean and one variance for the whole tensor."""

SAYS = "over all numbers"
CHANGES = [
    ("centred = x - x.mean(dim=-1, keepdim=True)", "centred = x - x.mean(dim=tuple(range(x.dim())), keepdim=True)"),
    (
        "variance = centred.square().mean(dim=-1, keepdim=True)  # (..., 1)",
        "variance = centred.square().mean(dim=tuple(range(x.dim())), keepdim=True)",
    ),
]
