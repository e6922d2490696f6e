"""Takes the average for a constant, so that the result has a wrong derivative."""

SAYS = "cut off from the graph"
CHANGES = [
    (
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., m, 1)",
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True).detach()",
    ),
]
