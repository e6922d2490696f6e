"""Stacks in the place of a concatenation."""

SAYS = "stacked, not concatenated"
CHANGES = [
    (
        "return torch.cat([from_left, turn(from_right)], dim=-1)",
        "return torch.stack([from_left, turn(from_right)], dim=2)",
    ),
]
