"""Forgets the weights when it averages."""

SAYS = "not used for the output"
CHANGES = [
    (
        "return weights @ value, weights  # (..., m, d_v), (..., m, n)",
        "return value.mean(-2, keepdim=True).expand(*scores.shape[:-1], value.shape[-1]), weights",
    ),
]
