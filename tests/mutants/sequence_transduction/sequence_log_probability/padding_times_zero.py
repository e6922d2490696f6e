"""Multiplies what padding adds with 0, which is NaN for minus infinity."""

SAYS = "words that are impossible"
CHANGES = [
    (
        "of_labels.masked_fill(~real, 0.0)",
        "(of_labels * real)",
    ),
]
