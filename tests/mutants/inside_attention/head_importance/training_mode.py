"""Leaves the attention in evaluation mode."""

SAYS = "in another mode"
CHANGES = [
    (
        "complete = evaluate()",
        """for attention, _ in heads:
        attention.eval()
    complete = evaluate()""",
    ),
]
