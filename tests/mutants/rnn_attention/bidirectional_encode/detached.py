"""Cuts the second direction off from the graph."""

SAYS = "cut off from the graph"
CHANGES = [
    (
        "return torch.cat([from_left, turn(from_right)], dim=-1)",
        "return torch.cat([from_left, turn(from_right).detach()], dim=-1)",
    ),
]
