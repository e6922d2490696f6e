"""Takes mean and variance over positions and features."""

SAYS = "over a whole sentence"
CHANGES = [
    (
        "centred = x - x.mean(dim=-1, keepdim=True)",
        "centred = x - x.mean(dim=tuple(range(max(x.dim() - 2, 0), x.dim())), keepdim=True)",
    ),
    (
        "variance = centred.square().mean(dim=-1, keepdim=True)  # (..., 1)",
        "variance = centred.square().mean(dim=tuple(range(max(x.dim() - 2, 0), x.dim())), keepdim=True)",
    ),
]
