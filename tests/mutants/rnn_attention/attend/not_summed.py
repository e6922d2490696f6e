"""Forgets the sum over the words."""

SAYS = "not summed over the words"
CHANGES = [
    (
        "return (weights.unsqueeze(1) @ values).squeeze(1), weights",
        "return weights.unsqueeze(-1) * values, weights",
    ),
]
