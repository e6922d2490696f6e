"""Takes the angles for degrees."""

SAYS = "degrees"
CHANGES = [
    (
        "angles = positions[:, None] / 10_000 ** (pairs / d_model)  # (length, pairs)",
        "angles = positions[:, None] * math.pi / 180 / 10_000 ** (pairs / d_model)  # (length, pairs)",
    ),
]
