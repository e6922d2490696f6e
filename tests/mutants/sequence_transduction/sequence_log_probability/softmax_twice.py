"""Applies softmax before log_softmax."""

SAYS = "softmax is taken twice"
CHANGES = [
    (
        "logits.log_softmax(dim=-1)",
        "logits.softmax(dim=-1).log_softmax(dim=-1)",
    ),
]
