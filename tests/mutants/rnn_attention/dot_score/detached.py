"""Cuts the keys off from the graph."""

SAYS = "cut off from the graph"
CHANGES = [
    (
        "return (keys * query.unsqueeze(1)).sum(dim=-1)",
        "return (keys.detach() * query.unsqueeze(1)).sum(dim=-1)",
    ),
]
