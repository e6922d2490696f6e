"""Cuts the part of the other words off from the graph."""

SAYS = "cut off from the graph"
CHANGES = [
    (
        "log_probabilities.mean(dim=-1)",
        "log_probabilities.mean(dim=-1).detach()",
    ),
]
