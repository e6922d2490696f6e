"""Adds the mask to the scores."""

SAYS = "itself is added to the scores"
CHANGES = [
    (
        "scores = score(hidden, memory).masked_fill(~mask, -math.inf)  # (batch, source_length)",
        "scores = score(hidden, memory) + mask",
    ),
]
