"""Mends everything but the mean."""

SAYS = "over padding too"
CHANGES = [
    (
        "losses.sum() / (labels != PAD).sum()",
        "losses.mean()",
    ),
]
