"""Divides by the number of positions."""

SAYS = "number of positions"
CHANGES = [
    ("return rollout", "return rollout / weights.shape[-1]"),
]
