"""Fills the scores of the caller."""

SAYS = "works in place"
CHANGES = [
    (
        "scores.masked_fill",
        "scores.masked_fill_",
    ),
]
