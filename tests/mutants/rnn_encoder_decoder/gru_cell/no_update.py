"""Returns the candidate."""

SAYS = "the candidate alone"
CHANGES = [
    (
        "return (1 - update) * candidate + update * hidden",
        "return candidate",
    ),
]
