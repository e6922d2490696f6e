"""Adds the two directions."""

SAYS = "or both are added"
CHANGES = [
    (
        "return torch.cat([from_left, turn(from_right)], dim=-1)",
        "return from_left + turn(from_right)",
    ),
]
