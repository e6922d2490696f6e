"""Forgets the encoding."""

SAYS = "no encoding is added"
CHANGES = [
    (" + self.encoding[start:end]", ""),
]
