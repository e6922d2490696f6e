"""Compares positions."""

CHANGES = [
    (
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril()",
        """position = torch.arange(length, device=device)
    return position[:, None] >= position""",
    ),
]
