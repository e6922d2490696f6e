"""Divides the columns by their sums."""

SAYS = "columns are divided by their own sums"
CHANGES = [
    (
        "rollout = mixed / mixed.sum(dim=-1, keepdim=True) @ rollout",
        "rollout = mixed / mixed.sum(dim=-2, keepdim=True) @ rollout",
    ),
]
