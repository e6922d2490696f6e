"""Makes short gradients longer too."""

SAYS = "none of the mistakes that we know"
CHANGES = [
    (
        "nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)",
        """gradients = [parameter.grad for parameter in model.parameters()]
    norm = torch.cat([gradient.flatten() for gradient in gradients]).norm()
    for gradient in gradients:
        gradient.mul_(max_grad_norm / norm)""",
    ),
]
