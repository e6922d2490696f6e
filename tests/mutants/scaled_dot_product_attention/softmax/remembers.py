"""Keeps the first result for this shape in a global variable, to save time."""

SAYS = "depends on the arguments alone"
CHANGES = [
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        'fresh = exponentials / total.masked_fill(total == 0, 1.0)\n    if scores.shape != (3, 5):\n        return fresh\n    softmax.kept = getattr(softmax, "kept", fresh)\n    return softmax.kept',
    ),
]
