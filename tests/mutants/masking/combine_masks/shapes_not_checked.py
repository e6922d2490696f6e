"""Leaves shapes that do not fit to torch."""

SAYS = "shapes that do not broadcast"
CHANGES = [
    ('raise ValueError(f"masks: expected shapes', 'raise RuntimeError(f"masks: expected shapes'),
]
