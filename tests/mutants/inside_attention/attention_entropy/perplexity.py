"""Returns the number of keys that the entropy stands for."""

SAYS = "exp of the entropy"
CHANGES = [
    ("return -(weights * logarithms).sum(dim=-1)", "return (-(weights * logarithms).sum(dim=-1)).exp()"),
]
