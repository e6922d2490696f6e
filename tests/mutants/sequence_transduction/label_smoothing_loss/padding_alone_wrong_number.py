"""Counts at least 2 labels."""

SAYS = "in this situation too"
CHANGES = [
    (
        "clamp(min=1)",
        "clamp(min=2)",
    ),
]
