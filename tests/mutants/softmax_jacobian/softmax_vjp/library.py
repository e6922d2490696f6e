"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return weights * (grad_weights - average)",
        """from transformer_course import softmax_jacobian as library

    return library.softmax_vjp(weights, grad_weights)""",
    ),
]
