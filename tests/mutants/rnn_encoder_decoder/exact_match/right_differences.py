"""Counts the rows that differ."""

CHANGES = [
    (
        "return (written == wanted).all(dim=1).double().mean().item()",
        "return 1 - (written != wanted).any(dim=1).float().mean().item()",
    ),
]
