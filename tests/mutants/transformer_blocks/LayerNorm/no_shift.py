"""Forgets the shift."""

SAYS = "bias is not used"
CHANGES = [
    (" * self.weight + self.bias", " * self.weight + 0 * self.bias"),
]
