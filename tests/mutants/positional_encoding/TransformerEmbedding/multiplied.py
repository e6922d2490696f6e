"""Multiplies by the encoding."""

SAYS = "in the place of `+`"
CHANGES = [
    (" + self.enc", " * self.enc"),
]
