"""Trusts its input."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("if weights.dim() < 2 or not weights.is_floating_point():", "if False:"),
    ("if (weights < 0).any():", "if False:"),
]
