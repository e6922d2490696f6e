"""Adds 1 to the counts."""

SAYS = "that is smoothing"
CHANGES = [
    (
        """if right == 0:
            return 0.0""",
        """if not any(hypotheses):
            return 0.0""",
    ),
    (
        "product_of_precisions *= right / sum(found.total() for found, _ in counted)",
        "product_of_precisions *= (right + 1) / (sum(found.total() for found, _ in counted) + 1)",
    ),
]
