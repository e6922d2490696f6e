"""Cuts the encoding by the size of the batch."""

SAYS = "along the batch"
CHANGES = [
    ("self.encoding[start:end]", "self.encoding[start : start + len(tokens)].unsqueeze(1)"),
]
