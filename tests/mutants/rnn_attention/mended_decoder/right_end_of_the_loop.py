"""Computes the scores of the next word at the end of the loop."""

CHANGES = [
    (
        "states, rows = [], []",
        """scores = score(hidden, memory)
    states, rows = [], []""",
    ),
    (
        "scores = score(hidden, memory).masked_fill(~mask, -math.inf)  # (batch, source_length)",
        "scores = torch.where(mask, scores, -math.inf)",
    ),
    (
        "rows.append(weights)",
        """rows.append(weights)
        scores = score(hidden, memory)""",
    ),
]
