"""Cuts the query off from the graph."""

SAYS = "cut off from the graph"
CHANGES = [
    (
        "query @ w_query.T",
        "query.detach() @ w_query.T",
    ),
]
