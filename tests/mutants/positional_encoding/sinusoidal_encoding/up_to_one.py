"""Lets the exponent reach 1 at the last pair, as the authors' code does."""

SAYS = "d_model - 2"
CHANGES = [
    (
        "angles = positions[:, None] / 10_000 ** (pairs / d_model)  # (length, pairs)",
        "angles = positions[:, None] / 10_000 ** (pairs / max(d_model - 2, 1))  # (length, pairs)",
    ),
]
