"""Begins each step with the first state."""

SAYS = "begins with the first `state`"
CHANGES = [
    (
        "logits, state = step",
        "logits, _ = step",
    ),
]
