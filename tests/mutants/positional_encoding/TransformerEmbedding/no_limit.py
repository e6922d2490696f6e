"""Begins anew after max_length."""

SAYS = "positions beyond max_length"
CHANGES = [
    ("end > len(self.encoding)", "False"),
    ("self.encoding[start:end]", "self.encoding.repeat(4, 1)[start:end]"),
]
