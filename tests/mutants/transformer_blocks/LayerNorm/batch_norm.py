"""Normalises each feature over all words, as batch normalisation does."""

SAYS = "as in batch normalisation"
CHANGES = [
    (
        "centred = x - x.mean(dim=-1, keepdim=True)",
        "centred = x - x.mean(dim=tuple(range(max(x.dim() - 1, 1))), keepdim=True)",
    ),
    (
        "variance = centred.square().mean(dim=-1, keepdim=True)  # (..., 1)",
        "variance = centred.square().mean(dim=tuple(range(max(x.dim() - 1, 1))), keepdim=True)",
    ),
]
