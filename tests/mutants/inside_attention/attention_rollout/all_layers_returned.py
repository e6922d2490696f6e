"""Returns the rollout of every layer."""

SAYS = "the layers are still there"
CHANGES = [
    (
        """rollout = identity
""",
        """rollout, all_layers = identity, []
""",
    ),
    (
        "rollout = mixed / mixed.sum(dim=-1, keepdim=True) @ rollout",
        """rollout = mixed / mixed.sum(dim=-1, keepdim=True) @ rollout
        all_layers.append(rollout)""",
    ),
    ("return rollout", "return torch.stack(all_layers)"),
]
