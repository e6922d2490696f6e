"""Looks at the length, and not at the start."""

SAYS = "a start that leads beyond"
CHANGES = [
    ("end > len(self.encoding)", "tokens.shape[1] > len(self.encoding)"),
    ("self.encoding[start:end]", "torch.cat([self.encoding, self.encoding])[start:end]"),
]
