"""Forgets the second direction."""

SAYS = "only one direction is there"
SAME_AS = "added"
CHANGES = [
    (
        "return torch.cat([from_left, turn(from_right)], dim=-1)",
        "return from_left",
    ),
]
