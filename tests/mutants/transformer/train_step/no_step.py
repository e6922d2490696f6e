"""Forgets the step."""

SAYS = "`optimizer.step()` is missing"
SAME_AS = "zeroed_after_backward"
CHANGES = [
    (
        """    optimizer.step()
""",
        "",
    ),
]
