"""Cuts the graph between two words."""

SAYS = "cut off from the graph"
CHANGES = [
    (
        "cell(embedded[:, position], hidden), hidden)",
        "cell(embedded[:, position], hidden.detach()), hidden)",
    ),
]
