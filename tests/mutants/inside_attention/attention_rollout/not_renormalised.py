"""Trusts that rows sum to 1."""

SAYS = "not divided by their sum"
CHANGES = [
    ("rollout = mixed / mixed.sum(dim=-1, keepdim=True) @ rollout", "rollout = mixed @ rollout"),
]
