"""Divides by the largest entropy that there can be."""

SAYS = "divided by ln n"
CHANGES = [
    (
        "return -(weights * logarithms).sum(dim=-1)",
        "return -(weights * logarithms).sum(dim=-1) / torch.tensor(float(weights.shape[-1])).log()",
    ),
]
