"""Cuts the old state off from the graph."""

SAYS = "cut off from the graph"
CHANGES = [
    (
        "return (1 - update) * candidate + update * hidden",
        "return (1 - update) * candidate + update * hidden.detach()",
    ),
]
