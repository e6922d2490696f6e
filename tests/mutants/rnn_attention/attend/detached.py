"""Returns weights that are cut off from the graph."""

SAYS = "no gradient flows"
CHANGES = [
    (
        "return (weights.unsqueeze(1) @ values).squeeze(1), weights",
        "return (weights.unsqueeze(1) @ values).squeeze(1), weights.detach()",
    ),
]
