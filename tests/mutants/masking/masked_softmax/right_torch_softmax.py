"""Uses torch's softmax, with empty rows replaced before and after it."""

CHANGES = [
    (
        "scores = scores.masked_fill(~mask, -math.inf)",
        """empty = ~mask.any(-1, keepdim=True)
        safe = scores.masked_fill(~mask, -math.inf).masked_fill(empty, 0.0)
        return torch.softmax(safe, -1).masked_fill(empty, 0.0)""",
    ),
]
