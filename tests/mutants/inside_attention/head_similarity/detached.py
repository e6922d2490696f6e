"""Cuts the graph."""

SAYS = "no gradient flows"
CHANGES = [
    (
        "lengths = flattened.norm(dim=-1, keepdim=True)  # (layers, heads, 1)",
        """flattened = flattened.detach()
    lengths = flattened.norm(dim=-1, keepdim=True)  # (layers, heads, 1)""",
    ),
]
