"""Turns the words round sentence by sentence, and their states all at once."""

SAYS = "turn the states as you turned the words"
CHANGES = [
    (
        "return torch.cat([from_left, turn(from_right)], dim=-1)",
        "return torch.cat([from_left, from_right.flip(1)], dim=-1)",
    ),
]
