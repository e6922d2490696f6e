"""Subtracts the average from the caller's gradient."""

SAYS = "works in place"
CHANGES = [
    (
        "return weights * (grad_weights - average)",
        """grad_weights -= average
    return weights * grad_weights""",
    ),
]
