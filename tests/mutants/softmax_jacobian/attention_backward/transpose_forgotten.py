"""Forgets a transpose."""

SAYS = "shapes that do not fit"
CHANGES = [
    ("grad_value = weights.transpose(-2, -1) @ grad_output  # (..., n, d_v)", "grad_value = weights @ grad_output"),
]
