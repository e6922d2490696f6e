"""Lets autograd find the derivative."""

SAYS = "your code called"
CHANGES = [
    (
        "return (torch.diag_embed(weights) - products) / scale",
        """matrix = torch.autograd.functional.jacobian(lambda x: softmax(x / scale), scores.detach())
    return matrix if scores.dim() == 1 else torch.stack([matrix[0, 0]])""",
    ),
]
