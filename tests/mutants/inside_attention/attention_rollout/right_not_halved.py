"""Adds the identity, and divides by the sum: the halves cancel."""

CHANGES = [
    ("mixed = 0.5 * attention + 0.5 * identity", "mixed = attention + identity"),
]
