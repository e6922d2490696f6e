"""Mends the shift only."""

SAYS = "2 of the three bugs"
CHANGES = [
    (
        "F.cross_entropy(logits.tr",
        "F.cross_entropy(logits.softmax(dim=-1).tr",
    ),
    (
        "losses.sum() / (labels != PAD).sum()",
        "losses.mean()",
    ),
]
