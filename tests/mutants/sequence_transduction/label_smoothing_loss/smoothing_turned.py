"""Exchanges the two shares."""

SAYS = "change places"
CHANGES = [
    (
        "-(1 - smoothing) *",
        "-smoothing *",
    ),
    (
        "smoothing * log_probabilities.mean",
        "(1 - smoothing) * log_probabilities.mean",
    ),
    (
        "if smoothing > 0:",
        "if smoothing < 1:",
    ),
]
