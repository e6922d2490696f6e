"""Lets the positions compete, not the words."""

SAYS = "over the positions"
CHANGES = [
    (
        "logits.log_softmax(dim=-1)",
        "logits.log_softmax(dim=1)",
    ),
]
