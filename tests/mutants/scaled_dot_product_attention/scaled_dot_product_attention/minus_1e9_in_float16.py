"""Hides with -1e9 and repairs empty rows, but float16 has no such number."""

SAYS = "float16"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores.masked_fill(~mask, -1e9)"),
    (
        "return weights @ value, weights  # (..., m, d_v), (..., m, n)",
        """if mask is not None:
        weights = weights * mask.any(-1, keepdim=True)
    return weights @ value, weights""",
    ),
]
