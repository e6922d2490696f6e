"""Puts everything into forward, and gives encode another name."""

SAYS = "the method encode"
CHANGES = [
    ("def encode(self", "def read(self"),
    ("self.encode(source)", "self.read(source)"),
]
