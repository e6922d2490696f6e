"""Divides the caller's own scores."""

SAYS = "works in place"
CHANGES = [
    (
        "weights = softmax(scores / scale)  # (..., n)",
        """scores /= scale
    weights = softmax(scores)""",
    ),
]
