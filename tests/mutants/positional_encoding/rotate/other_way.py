"""Turns clockwise."""

SAYS = "sines have each other's sign"
CHANGES = [
    ("first * angles.cos() - second", "first * angles.cos() + second"),
    ("first * angles.sin() + second * angles.cos()", "second * angles.cos() - first * angles.sin()"),
]
