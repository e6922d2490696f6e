"""Takes the first dimension for the row, as in code for a single vector."""

SAYS = "over the batch"
CHANGES = [
    ("exponentials.sum(dim=-1, keepdim=True)", "exponentials.sum(dim=0, keepdim=True)"),
    (
        "highest = scores.detach().amax(dim=-1, keepdim=True)  # (..., 1)",
        "highest = scores.detach().amax(dim=0, keepdim=True)",
    ),
]
