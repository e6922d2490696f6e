"""Compares so that NaN passes."""

SAYS = "max_grad_norm nan"
CHANGES = [
    ("if not max_grad_norm > 0:", "if max_grad_norm <= 0:"),
]
