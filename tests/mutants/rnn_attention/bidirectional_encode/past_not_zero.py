"""Leaves what a network of its own computed at padding."""

SAYS = "states past the end of a sentence are not 0"
CHANGES = [
    (
        "return torch.cat([from_left, turn(from_right)], dim=-1)",
        """final = turn(from_right)
    padding = (position >= lengths.unsqueeze(1)).unsqueeze(-1)
    return torch.cat([from_left, torch.where(padding, hidden.unsqueeze(1), final)], dim=-1)""",
    ),
]
