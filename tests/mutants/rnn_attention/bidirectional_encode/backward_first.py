"""Puts the backward half first."""

SAYS = "backward states are put first"
CHANGES = [
    (
        "return torch.cat([from_left, turn(from_right)], dim=-1)",
        "return torch.cat([turn(from_right), from_left], dim=-1)",
    ),
]
