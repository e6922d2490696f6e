"""Puts zeros on the diagonal, and takes the mean of everything."""

SAYS = "still counted in the mean"
CHANGES = [
    ("return cosines[:, different].mean().item()", "return (cosines * different).mean().item()"),
]
