"""Averages the layers."""

SAYS = "the layers are mixed"
CHANGES = [
    (
        "return directions @ directions.transpose(-2, -1)  # (layers, heads, heads)",
        "return (directions @ directions.transpose(-2, -1)).mean(dim=0)",
    ),
]
