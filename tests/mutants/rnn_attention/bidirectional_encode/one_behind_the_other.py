"""Puts the directions one behind the other along the length."""

SAYS = "one behind the other"
CHANGES = [
    (
        "return torch.cat([from_left, turn(from_right)], dim=-1)",
        "return torch.cat([from_left, turn(from_right)], dim=1)",
    ),
]
