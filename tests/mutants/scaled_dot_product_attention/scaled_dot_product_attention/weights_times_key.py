"""Averages the keys."""

SAYS = "value is not used"
CHANGES = [
    ("return weights @ value, weights  # (..., m, d_v), (..., m, n)", "return weights @ key, weights"),
]
