"""Takes the average as a product of a row and a column."""

CHANGES = [
    (
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., 1)",
        "average = (grad_weights.unsqueeze(-2) @ weights.unsqueeze(-1)).squeeze(-1)",
    ),
]
