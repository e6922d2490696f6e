"""Multiplies by the power where the formula divides."""

SAYS = "in the place of being divided"
CHANGES = [
    (
        "angles = positions[:, None] / 10_000 ** (pairs / d_model)  # (length, pairs)",
        "angles = positions[:, None] * 10_000 ** (pairs / d_model)  # (length, pairs)",
    ),
]
