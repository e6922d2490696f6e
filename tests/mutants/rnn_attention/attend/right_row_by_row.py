"""Looks sentence by sentence."""

CHANGES = [
    (
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0)",
        """weights = torch.zeros_like(scores)
    rows = [row for row in range(len(scores)) if mask[row].any()]
    for row in rows:
        weights[row, mask[row]] = scores[row][mask[row]].softmax(dim=0)""",
    ),
    (
        "return (weights.unsqueeze(1) @ values).squeeze(1), weights",
        """context = torch.einsum("bl,bld->bd", weights, values)
    return context, weights""",
    ),
]
