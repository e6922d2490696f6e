"""Leaves the attention in evaluation mode."""

SAYS = "a mode that was changed"
CHANGES = [
    (
        "complete = evaluate()",
        """for attention, _ in heads:
        attention.eval()
    complete = evaluate()""",
    ),
]
