"""Subtracts the largest gradient, as in stable softmax."""

SAYS = "not the mean of g under the weights"
CHANGES = [
    (
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., 1)",
        "average = grad_weights.amax(dim=-1, keepdim=True)",
    ),
]
