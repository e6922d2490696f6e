"""Mends the mask only."""

SAYS = "computed once"
CHANGES = [
    (
        "states, rows = [], []",
        """first = score(hidden, memory)
    states, rows = [], []""",
    ),
    (
        "scores = score(hidden, memory).masked_fill(~mask, -math.inf)  # (batch, source_length)",
        "scores = first.masked_fill(~mask, -math.inf)",
    ),
]
