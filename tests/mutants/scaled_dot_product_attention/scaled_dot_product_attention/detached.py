"""Returns an output without a graph."""

SAYS = "`.detach()`"
CHANGES = [
    ("return weights @ value, weights  # (..., m, d_v), (..., m, n)", "return (weights @ value).detach(), weights"),
]
