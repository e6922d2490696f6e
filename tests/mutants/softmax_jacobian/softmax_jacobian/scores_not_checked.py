"""Takes integers and single numbers for scores."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if scores.dim() == 0 or not scores.is_floating_point():",
        """scores = scores + 0.0
    if scores.dim() == 0:""",
    ),
]
