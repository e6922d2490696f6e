"""Mends the query only."""

SAYS = "the mask comes after softmax"
CHANGES = [
    (
        "scores = score(hidden, memory).masked_fill(~mask, -math.inf)  # (batch, source_length)",
        "scores = score(hidden, memory)",
    ),
    (
        "weights = torch.softmax(scores, dim=-1)",
        "weights = torch.softmax(scores, dim=-1) * mask",
    ),
]
