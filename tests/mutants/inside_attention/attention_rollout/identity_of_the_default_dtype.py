"""Makes the identity and the result in float32."""

SAYS = "dtype"
CHANGES = [
    (
        "for attention in weights.mean(dim=1):  # (n, n), the first layer first",
        """identity, rollout = identity.float(), rollout.float()
    for attention in weights.float().mean(dim=1):  # (n, n), the first layer first""",
    ),
]
