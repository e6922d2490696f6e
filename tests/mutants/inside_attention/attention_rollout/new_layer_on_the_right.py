"""Multiplies the new layer from the right."""

SAYS = "stands on the right"
SAME_AS = "last_layer_first"
CHANGES = [
    (
        "rollout = mixed / mixed.sum(dim=-1, keepdim=True) @ rollout",
        "rollout = rollout @ (mixed / mixed.sum(dim=-1, keepdim=True))",
    ),
]
