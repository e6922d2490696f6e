"""Leaves the maximum out, so that large scores overflow."""

SAYS = "NaN"
CHANGES = [
    (
        "exponentials = (scores - new_highest).exp()",
        """new_highest = torch.zeros_like(new_highest)
        exponentials = scores.exp()""",
    ),
]
