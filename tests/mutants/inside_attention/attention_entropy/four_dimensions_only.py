"""Expects maps of four dimensions."""

SAYS = "not enough values to unpack"
CHANGES = [
    (
        "return -(weights * logarithms).sum(dim=-1)",
        """batch, heads, m, n = weights.shape
    return -(weights * logarithms).sum(dim=-1)""",
    ),
]
