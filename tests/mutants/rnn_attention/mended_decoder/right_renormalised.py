"""Masks after softmax, and divides by what is left."""

CHANGES = [
    (
        "scores = score(hidden, memory).masked_fill(~mask, -math.inf)  # (batch, source_length)",
        "scores = score(hidden, memory)",
    ),
    (
        "weights = torch.softmax(scores, dim=-1)",
        """weights = torch.softmax(scores, dim=-1) * mask
        weights = weights / weights.sum(dim=-1, keepdim=True)""",
    ),
]
