"""Doubles an index that already goes in steps of two."""

SAYS = "doubled once more"
CHANGES = [
    (
        "angles = positions[:, None] / 10_000 ** (pairs / d_model)  # (length, pairs)",
        "angles = positions[:, None] / 10_000 ** (2 * pairs / d_model)  # (length, pairs)",
    ),
]
