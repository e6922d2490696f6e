"""Returns a distance."""

SAYS = "a distance is returned"
CHANGES = [
    (
        "return directions @ directions.transpose(-2, -1)  # (layers, heads, heads)",
        "return 1 - directions @ directions.transpose(-2, -1)",
    ),
]
