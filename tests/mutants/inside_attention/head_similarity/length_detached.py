"""Takes the lengths for constants."""

SAYS = "cut off from the graph"
CHANGES = [
    (
        "lengths = flattened.norm(dim=-1, keepdim=True)  # (layers, heads, 1)",
        "lengths = flattened.norm(dim=-1, keepdim=True).detach()  # (layers, heads, 1)",
    ),
]
