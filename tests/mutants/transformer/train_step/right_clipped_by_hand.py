"""Shortens the gradients by hand."""

CHANGES = [
    (
        "nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)",
        """gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    norm = sum(gradient.square().sum() for gradient in gradients).sqrt()
    for gradient in gradients:
        gradient.mul_((max_grad_norm / (norm + 1e-6)).clamp(max=1))""",
    ),
]
