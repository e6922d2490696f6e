"""Replaces the NaN afterwards: the result is right, the way back is not."""

SAYS = "the way back is not"
CHANGES = [
    (
        "logarithms = torch.where(weights > 0, weights, 1.0).log()  # ln 1 = 0 in the place of ln 0",
        "logarithms = weights.log()",
    ),
    ("return -(weights * logarithms).sum(dim=-1)", "return -(weights * logarithms).nan_to_num().sum(dim=-1)"),
]
