"""Validates with assert, which is not a ValueError."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        'raise ValueError(f"scores: expected floating, at least 1 dimension, got {scores.dtype}, {tuple(scores.shape)}")',
        "raise TypeError('scores: expected floating')",
    ),
]
