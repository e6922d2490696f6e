"""Mends the softmax only."""

SAYS = "2 of the three bugs"
CHANGES = [
    (
        "target[:, 1:]",
        "target[:, :-1]",
    ),
    (
        "losses.sum() / (labels != PAD).sum()",
        "losses.mean()",
    ),
]
