"""Multiplies number by number."""

SAYS = "`*` multiplies number by number"
CHANGES = [
    ("rollout = identity", "rollout = torch.ones_like(identity)"),
    (
        "rollout = mixed / mixed.sum(dim=-1, keepdim=True) @ rollout",
        "rollout = mixed / mixed.sum(dim=-1, keepdim=True) * rollout",
    ),
]
