"""Multiplies the mask into the scores."""

SAYS = "multiplied into the scores"
CHANGES = [
    (
        "scores = score(hidden, memory).masked_fill(~mask, -math.inf)  # (batch, source_length)",
        "scores = score(hidden, memory) * mask",
    ),
]
