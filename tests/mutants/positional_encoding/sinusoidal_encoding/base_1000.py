"""Forgets a zero."""

SAYS = "base is 1000"
CHANGES = [
    (
        "angles = positions[:, None] / 10_000 ** (pairs / d_model)  # (length, pairs)",
        "angles = positions[:, None] / 1_000 ** (pairs / d_model)  # (length, pairs)",
    ),
]
