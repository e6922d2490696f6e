"""Cuts the weights off from the output, as if they were constants."""

SAYS = "cut off from the graph"
CHANGES = [
    ("return weights @ value, weights  # (..., m, d_v), (..., m, n)", "return weights.detach() @ value, weights"),
]
