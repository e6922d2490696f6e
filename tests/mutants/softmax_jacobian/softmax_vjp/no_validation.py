"""Lets a gradient of another shape broadcast."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("if grad_weights.shape != weights.shape or", "if False or"),
]
