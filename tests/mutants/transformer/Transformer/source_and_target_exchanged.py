"""Reads the target and writes the source."""

SAYS = "the result has shape"
CHANGES = [
    (
        "return self.decode(target, self.encode(source), source)",
        "return self.decode(source, self.encode(target), target)",
    ),
]
