"""Compares each head with its neighbour."""

SAYS = "with one other thing"
CHANGES = [
    (
        "return directions @ directions.transpose(-2, -1)  # (layers, heads, heads)",
        "return (directions * directions.roll(1, dims=1)).sum(dim=-1)",
    ),
]
