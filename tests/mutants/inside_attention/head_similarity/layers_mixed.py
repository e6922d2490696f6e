"""Compares the heads of all layers."""

SAYS = "all layers are compared"
CHANGES = [
    (
        "return directions @ directions.transpose(-2, -1)  # (layers, heads, heads)",
        """directions = directions.flatten(0, 1)
    return directions @ directions.T""",
    ),
]
