"""Returns the output alone."""

SAYS = "only one of the results"
CHANGES = [
    ("return weights @ value, weights  # (..., m, d_v), (..., m, n)", "return weights @ value"),
]
