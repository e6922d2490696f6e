"""Multiplies the maps."""

SAYS = "identity is left out"
CHANGES = [
    ("mixed = 0.5 * attention + 0.5 * identity", "mixed = attention"),
]
