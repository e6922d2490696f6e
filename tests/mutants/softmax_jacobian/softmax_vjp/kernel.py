"""Calls the kernel that torch itself uses."""

SAYS = "your code called"
CHANGES = [
    (
        "return weights * (grad_weights - average)",
        "return torch._softmax_backward_data(grad_weights, weights, -1, weights.dtype)",
    ),
]
