"""Forgets the gain."""

SAYS = "weight is not used"
CHANGES = [
    (" * self.weight + self.bias", " + self.bias + 0 * self.weight"),
]
