"""Adds the identity once, after all layers."""

SAYS = "identity is added once"
CHANGES = [
    ("mixed = 0.5 * attention + 0.5 * identity", "mixed = attention"),
    ("rollout = mixed / mixed.sum(dim=-1, keepdim=True) @ rollout", "rollout = mixed @ rollout"),
    (
        "return rollout",
        """rollout = 0.5 * rollout + 0.5 * identity
    return rollout / rollout.sum(dim=-1, keepdim=True)""",
    ),
]
