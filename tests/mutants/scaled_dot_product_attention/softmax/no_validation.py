"""Computes with whatever comes, integers included."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if scores.dim() == 0 or not scores.is_floating_point():",
        """scores = scores.float() if not scores.is_floating_point() else scores
    if False:""",
    ),
]
