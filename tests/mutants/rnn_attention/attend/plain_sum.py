"""Sums the values without the weights."""

SAYS = "only summed"
CHANGES = [
    (
        "return (weights.unsqueeze(1) @ values).squeeze(1), weights",
        "return values.sum(dim=1), weights",
    ),
]
