"""Fills two matrices and joins them."""

CHANGES = [
    ("reached[:, j] |= ", "felt[:, j] |= "),
    (
        "reached = torch.zeros(len(query), len(key), dtype=torch.bool)",
        """reached = torch.zeros(len(query), len(key), dtype=torch.bool)
    felt = torch.zeros_like(reached)""",
    ),
    ("return reached", "return torch.logical_or(reached, felt)"),
]
