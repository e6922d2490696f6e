"""Thinks of an encoding with all sines first."""

SAYS = "all sines before all cosines"
CHANGES = [
    (
        "return matrix",
        """halves = [*range(0, d_model, 2), *range(1, d_model, 2)]
    return matrix[halves][:, halves]""",
    ),
]
