"""Adds -inf as a bias and replaces the NaN of an empty row by 0, which leaves it in the gradient."""

SAYS = "hide a NaN"
CHANGES = [
    (
        "scores = scores.masked_fill(~mask, -math.inf)",
        "scores = scores + torch.zeros(mask.shape, dtype=scores.dtype).masked_fill(~mask, -math.inf)",
    ),
    ("weights = softmax(scores)", "weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)"),
]
