"""Multiplies by the shift and adds the gain."""

SAYS = "gain and shift are exchanged"
CHANGES = [
    (" * self.weight + self.bias", " * self.bias + self.weight"),
]
