"""Leaves the division out."""

SAYS = "not divided by `divisor`"
CHANGES = [
    (
        "weights = softmax(query @ key.transpose(-2, -1) / divisor)  # (1000, 1, 16)",
        "weights = softmax(query @ key.transpose(-2, -1))  # (1000, 1, 16)",
    ),
]
