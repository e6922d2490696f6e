"""Multiplies the identity number by number."""

SAYS = "for all other places it is 0"
CHANGES = [
    (
        "rollout = mixed / mixed.sum(dim=-1, keepdim=True) @ rollout",
        "rollout = mixed / mixed.sum(dim=-1, keepdim=True) * rollout",
    ),
]
