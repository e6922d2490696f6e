"""Takes the average for a constant."""

SAYS = "cut off from the graph"
CHANGES = [
    (
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., 1)",
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True).detach()",
    ),
]
