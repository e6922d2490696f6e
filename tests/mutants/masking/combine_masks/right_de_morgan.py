"""Collects what is hidden, and inverts it at the end."""

CHANGES = [
    (
        "combined = mask if combined is None else combined & mask",
        "combined = ~mask if combined is None else combined | ~mask",
    ),
    ("return combined", "return None if combined is None else ~combined"),
]
