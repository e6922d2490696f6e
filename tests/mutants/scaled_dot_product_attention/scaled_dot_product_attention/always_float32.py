"""Converts to float32 and forgets to convert back."""

SAYS = "conversion"
CHANGES = [
    (
        "return weights @ value, weights  # (..., m, d_v), (..., m, n)",
        "return (weights @ value).float(), weights.float()",
    ),
]
