"""Stops when the first sentence has ended."""

SAYS = "stops at the first EOS"
CHANGES = [
    (
        "if not living:",
        "if results:",
    ),
]
