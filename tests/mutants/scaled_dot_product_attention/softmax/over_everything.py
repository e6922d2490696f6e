"""Forgets that a sum without dim runs over the whole tensor."""

SAYS = "has no `dim`"
CHANGES = [
    ("exponentials.sum(dim=-1, keepdim=True)", "exponentials.sum()"),
    ("highest = scores.detach().amax(dim=-1, keepdim=True)  # (..., 1)", "highest = scores.detach().max()"),
]
