"""Stops when one sentence has ended."""

SAYS = "when the first sentence has ended"
CHANGES = [
    (
        "not ended.all()",
        "not ended.any()",
    ),
]
