"""Forgets the dimension of the concatenation."""

SAYS = "one below the other"
CHANGES = [
    (
        "return torch.cat([from_left, turn(from_right)], dim=-1)",
        "return torch.cat([from_left, turn(from_right)])",
    ),
]
