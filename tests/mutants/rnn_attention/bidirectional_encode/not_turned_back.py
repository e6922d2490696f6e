"""Leaves the backward states in the order in which they were read."""

SAYS = "not turned round again"
CHANGES = [
    (
        "return torch.cat([from_left, turn(from_right)], dim=-1)",
        "return torch.cat([from_left, from_right], dim=-1)",
    ),
]
