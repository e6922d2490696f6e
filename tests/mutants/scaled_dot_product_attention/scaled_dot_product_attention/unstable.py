"""Computes e^score of the scores as they are."""

SAYS = "numbers are NaN"
CHANGES = [
    (
        "weights = softmax(scores)",
        "powers = scores.exp()\n    total = powers.sum(-1, keepdim=True)\n    weights = powers / total.masked_fill(total == 0, 1.0)",
    ),
]
