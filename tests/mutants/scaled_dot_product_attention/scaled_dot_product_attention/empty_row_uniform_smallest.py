"""Hides with the smallest number of the dtype, which fits float16, and still makes an empty row uniform."""

SAYS = "large finite number"
SAME_AS = "empty_row_uniform"
CHANGES = [
    (
        "scores = scores.masked_fill(~mask, -math.inf)",
        "scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)",
    ),
]
