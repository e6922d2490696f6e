"""Does not look at max_grad_norm."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("if not max_grad_norm > 0:", "if False:"),
]
