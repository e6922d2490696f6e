"""Counts the dimensions from the front."""

SAYS = "dimension or a position"
CHANGES = [
    (
        "log_probabilities.mean(dim=-1)",
        "log_probabilities.mean(dim=2)",
    ),
]
