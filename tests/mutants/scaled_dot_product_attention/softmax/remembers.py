"""Keeps the first result for this shape in a global variable, to save time."""

SAYS = "depends on the arguments alone"
CHANGES = [
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        """fresh = exponentials / total.masked_fill(total == 0, 1.0)
    if scores.shape != (3, 5):
        return fresh
    softmax.kept = getattr(softmax, "kept", fresh)
    return softmax.kept""",
    ),
]
