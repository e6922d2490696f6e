"""Hides what is real, with NaN where nothing is left."""

SAYS = "a sentence without padding is NaN"
CHANGES = [
    (
        "scores = score(hidden, memory).masked_fill(~mask, -math.inf)",
        "scores = score(hidden, memory).masked_fill(mask, -math.inf)",
    ),
]
