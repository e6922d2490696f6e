"""Forms the Jacobian of every row and multiplies with it."""

SAYS = "Jacobian is formed"
CHANGES = [
    (
        "return weights * (grad_weights - average)",
        """jacobian = torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)
    return (jacobian @ grad_weights.unsqueeze(-1)).squeeze(-1)""",
    ),
]
