"""Does not look at the weights."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("if weights.dim() == 0 or not weights.is_floating_point():", "if weights.dim() == 0:"),
]
