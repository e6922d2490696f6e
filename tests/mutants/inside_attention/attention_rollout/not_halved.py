"""Adds the identity, and does not halve."""

SAYS = "not halved"
CHANGES = [
    ("mixed = 0.5 * attention + 0.5 * identity", "mixed = attention + identity"),
    ("rollout = mixed / mixed.sum(dim=-1, keepdim=True) @ rollout", "rollout = mixed @ rollout"),
]
