"""Mends everything but the softmax."""

SAYS = "softmax is applied before"
CHANGES = [
    (
        "F.cross_entropy(logits.tr",
        "F.cross_entropy(logits.softmax(dim=-1).tr",
    ),
]
