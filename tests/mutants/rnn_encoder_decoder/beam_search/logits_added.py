"""Adds up logits."""

SAYS = "logits, or probabilities"
CHANGES = [
    (
        "logits.log_softmax(dim=1)",
        "logits",
    ),
]
