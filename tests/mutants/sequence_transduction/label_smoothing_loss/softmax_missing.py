"""Takes logits for log probabilities."""

SAYS = "softmax is missing"
CHANGES = [
    (
        "log_probabilities = logits.log_softmax(dim=-1)  #",
        "log_probabilities = logits  #",
    ),
]
