"""Averages the layers."""

SAYS = "the layers are averaged"
CHANGES = [
    (
        "for attention in weights.mean(dim=1):  # (n, n), the first layer first",
        """rollout = torch.zeros_like(identity)
    for attention in weights.mean(dim=1):  # (n, n), the first layer first""",
    ),
    (
        "rollout = mixed / mixed.sum(dim=-1, keepdim=True) @ rollout",
        "rollout = rollout + mixed / mixed.sum(dim=-1, keepdim=True) / len(weights)",
    ),
]
