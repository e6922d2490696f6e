"""Normalises and stops."""

SAYS = "weight and bias are not used"
CHANGES = [
    (" * self.weight + self.bias", ""),
]
