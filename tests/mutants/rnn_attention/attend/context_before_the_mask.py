"""Computes the context without the mask."""

SAYS = "weights from before the mask"
CHANGES = [
    (
        "return (weights.unsqueeze(1) @ values).squeeze(1), weights",
        "return (scores.softmax(dim=1).unsqueeze(1) @ values).squeeze(1), weights",
    ),
]
