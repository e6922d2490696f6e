"""Trusts its input."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("if weights.dim() != 4 or not weights.is_floating_point():", "if False:"),
    ("if weights.shape[1] == 0 or weights.shape[2] != weights.shape[3]:", "if False:"),
]
