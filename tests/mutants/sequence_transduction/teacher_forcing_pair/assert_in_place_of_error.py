"""Validates with assert, which is not a ValueError."""

SAYS = "AssertionError"
CHANGES = [
    (
        '        raise ValueError(f"target: expected torch.long',
        '        raise AssertionError(f"target: expected torch.long',
    ),
]
