"""Returns the weights first."""

SAYS = "wrong order"
CHANGES = [
    ("return weights @ value, weights  # (..., m, d_v), (..., m, n)", "return weights, weights @ value"),
]
