"""Computes e^score of the scores as they are."""

SAYS = "numbers are NaN"
CHANGES = [
    ("return softmax(scores)", "return scores.exp() / scores.exp().sum(-1, keepdim=True)"),
]
