"""Moves from the candidate to the old state."""

CHANGES = [
    (
        "return (1 - update) * candidate + update * hidden",
        "return torch.lerp(candidate, hidden, update)",
    ),
]
