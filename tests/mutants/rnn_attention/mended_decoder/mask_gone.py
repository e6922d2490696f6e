"""Leaves the mask out."""

SAYS = "the mask is gone"
CHANGES = [
    (
        "scores = score(hidden, memory).masked_fill(~mask, -math.inf)  # (batch, source_length)",
        "scores = score(hidden, memory)",
    ),
]
