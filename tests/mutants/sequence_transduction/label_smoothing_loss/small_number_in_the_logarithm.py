"""Adds a small number before the logarithm."""

SAYS = "nearly right"
CHANGES = [
    (
        "logits.log_softmax(dim=-1)",
        "(logits.softmax(dim=-1) + 1e-5).log()",
    ),
]
