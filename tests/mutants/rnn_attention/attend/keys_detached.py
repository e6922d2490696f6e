"""Cuts the values off from the graph."""

SAYS = "cut off from the graph"
CHANGES = [
    (
        "return (weights.unsqueeze(1) @ values).squeeze(1), weights",
        "return (weights.unsqueeze(1) @ values.detach()).squeeze(1), weights",
    ),
]
