"""Adds up probabilities."""

SAYS = "a sum of probabilities"
CHANGES = [
    (
        """log_probabilities = logits.log_softmax(dim=-1)
""",
        """log_probabilities = logits.softmax(dim=-1)
""",
    ),
]
