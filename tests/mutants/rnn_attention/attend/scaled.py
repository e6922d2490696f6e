"""Divides the scores by a square root."""

SAYS = "scaled once more"
CHANGES = [
    (
        "scores.maske",
        "(scores / scores.shape[1] ** 0.5).maske",
    ),
]
