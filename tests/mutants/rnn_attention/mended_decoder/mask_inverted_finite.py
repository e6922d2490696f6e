"""Hides what is real with a large negative number."""

SAYS = "a sentence without padding has equal weights"
CHANGES = [
    (
        "scores = score(hidden, memory).masked_fill(~mask, -math.inf)",
        "scores = score(hidden, memory).masked_fill(mask, -1e9)",
    ),
]
