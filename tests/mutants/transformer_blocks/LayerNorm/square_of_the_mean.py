"""Computes the variance as mean of squares minus square of mean, which cancels for large numbers."""

SAYS = "the mean of the squares minus the square of the mean"
CHANGES = [
    (
        "variance = centred.square().mean(dim=-1, keepdim=True)  # (..., 1)",
        "variance = x.square().mean(dim=-1, keepdim=True) - x.mean(dim=-1, keepdim=True).square()",
    ),
]
