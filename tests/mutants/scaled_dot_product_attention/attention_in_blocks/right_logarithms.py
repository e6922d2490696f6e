"""Keeps the logarithm of the sum."""

CHANGES = [
    ("return weighted / total", "return weighted * (-total.log()).exp()"),
]
