"""Leaves the dimension of size 1."""

SAYS = "left over from the product"
CHANGES = [
    (
        "return (weights.unsqueeze(1) @ values).squeeze(1), weights",
        "return weights.unsqueeze(1) @ values, weights",
    ),
]
