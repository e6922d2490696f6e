"""Divides by one of the two lengths."""

SAYS = "one of the two maps only"
CHANGES = [
    (
        "return directions @ directions.transpose(-2, -1)  # (layers, heads, heads)",
        "return directions @ flattened.transpose(-2, -1)",
    ),
]
