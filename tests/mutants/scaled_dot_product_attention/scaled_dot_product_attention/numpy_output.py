"""Leaves torch for numpy."""

SAYS = "left torch"
CHANGES = [
    (
        "return weights @ value, weights  # (..., m, d_v), (..., m, n)",
        "return (weights @ value).detach().numpy(), weights",
    ),
]
