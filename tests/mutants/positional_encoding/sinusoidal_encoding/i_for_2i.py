"""Takes i where the formula has 2i."""

SAYS = "where the formula has 2i"
CHANGES = [
    (
        "angles = positions[:, None] / 10_000 ** (pairs / d_model)  # (length, pairs)",
        "angles = positions[:, None] / 10_000 ** (pairs / 2 / d_model)  # (length, pairs)",
    ),
]
