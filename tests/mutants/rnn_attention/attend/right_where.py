"""Computes the exponentials itself, with the largest score taken off."""

CHANGES = [
    (
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0",
        """highest = scores.masked_fill(~mask, -math.inf).amax(dim=1, keepdim=True).masked_fill(nothing, 0.0)
    weights = torch.where(mask, torch.where(mask, scores - highest, 0.0).exp(), 0.0)
    weights = weights / weights.sum(dim=1, keepdim=True).masked_fill(nothing, 1""",
    ),
]
