"""Divides by the sums without `keepdim`, as widely used code does."""

SAYS = "`keepdim=True` is missing"
CHANGES = [
    ("rollout = mixed / mixed.sum(dim=-1, keepdim=True) @ rollout", "rollout = mixed / mixed.sum(dim=-1) @ rollout"),
]
