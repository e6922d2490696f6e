"""Computes e^score of the scores as they are."""

SAYS = "numbers are NaN"
CHANGES = [
    (
        "weights = softmax(scores)",
        """powers = scores.exp()
    total = powers.sum(-1, keepdim=True)
    weights = powers / total.masked_fill(total == 0, 1.0)""",
    ),
]
