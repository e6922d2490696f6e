"""Changes nothing."""

SAYS = "3 of the three bugs"
CHANGES = [
    (
        "target[:, 1:]",
        "target[:, :-1]",
    ),
    (
        "F.cross_entropy(logits.tr",
        "F.cross_entropy(logits.softmax(dim=-1).tr",
    ),
    (
        "losses.sum() / (labels != PAD).sum()",
        "losses.mean()",
    ),
]
