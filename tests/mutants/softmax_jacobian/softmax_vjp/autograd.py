"""Goes back to scores and lets autograd do the rest."""

SAYS = "your code called"
CHANGES = [
    (
        "return weights * (grad_weights - average)",
        """scores = weights.detach().log().requires_grad_()
    return torch.autograd.grad(torch.softmax(scores, -1), scores, grad_weights)[0]""",
    ),
]
