"""Counts positions from 1."""

SAYS = "counted from 1"
CHANGES = [
    (
        "positions = torch.arange(length, dtype=torch.float64)",
        "positions = torch.arange(1, length + 1, dtype=torch.float64)",
    ),
]
