"""Takes the sums for constants."""

SAYS = "cut off from the graph"
CHANGES = [
    (
        "rollout = mixed / mixed.sum(dim=-1, keepdim=True) @ rollout",
        "rollout = mixed / mixed.sum(dim=-1, keepdim=True).detach() @ rollout",
    ),
]
