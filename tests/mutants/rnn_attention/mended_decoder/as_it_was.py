"""Changes nothing."""

SAYS = "both bugs are still there"
CHANGES = [
    (
        "states, rows = [], []",
        """first = score(hidden, memory)
    states, rows = [], []""",
    ),
    (
        "scores = score(hidden, memory).masked_fill(~mask, -math.inf)  # (batch, source_length)",
        "scores = first",
    ),
    (
        "weights = torch.softmax(scores, dim=-1)",
        "weights = torch.softmax(scores, dim=-1) * mask",
    ),
]
