"""Overwrites the result in each layer."""

SAYS = "overwritten"
CHANGES = [
    (
        "rollout = mixed / mixed.sum(dim=-1, keepdim=True) @ rollout",
        "rollout = mixed / mixed.sum(dim=-1, keepdim=True)",
    ),
]
