"""Validates with assert, which is not a ValueError."""

SAYS = "does not look at its arguments"
CHANGES = [
    ('raise ValueError(f"scores', 'raise AssertionError(f"scores'),
]
