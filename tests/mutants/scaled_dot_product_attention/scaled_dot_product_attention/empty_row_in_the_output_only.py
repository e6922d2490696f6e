"""Gives zeros in the output, but returns weights that are not zero."""

SAYS = "large finite number"
CHANGES = [
    (
        "scores = scores.masked_fill(~mask, -math.inf)",
        "scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)",
    ),
    (
        "return weights @ value, weights  # (..., m, d_v), (..., m, n)",
        """if mask is not None:
        return weights @ value * mask.any(-1, keepdim=True), weights
    return weights @ value, weights""",
    ),
]
