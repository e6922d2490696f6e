"""Multiplies the scores with the values."""

SAYS = "with the scores, not with the weights"
CHANGES = [
    (
        "return (weights.unsqueeze(1) @ values).squeeze(1), weights",
        "return (scores.unsqueeze(1) @ values).squeeze(1), weights",
    ),
]
