"""Uses p (1 - p), the derivative of a sigmoid."""

SAYS = "only the diagonal of the Jacobian"
CHANGES = [
    ("return weights * (grad_weights - average)", "return weights * (1 - weights) * grad_weights"),
]
