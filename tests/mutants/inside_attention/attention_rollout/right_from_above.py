"""Follows the rows from the last layer down."""

CHANGES = [
    (
        "for attention in weights.mean(dim=1):  # (n, n), the first layer first",
        "for attention in weights.mean(dim=1).flip(0):",
    ),
    (
        "rollout = mixed / mixed.sum(dim=-1, keepdim=True) @ rollout",
        "rollout = rollout @ (mixed / mixed.sum(dim=-1, keepdim=True))",
    ),
]
