"""Scales a second time, after the mean."""

SAYS = "applied to the output"
CHANGES = [
    (
        "return weights @ value, weights  # (..., m, d_v), (..., m, n)",
        "return weights @ value / math.sqrt(d_k), weights",
    ),
]
