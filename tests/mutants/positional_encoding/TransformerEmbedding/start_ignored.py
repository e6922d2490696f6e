"""Begins at position 0, always."""

SAYS = "start is not used"
CHANGES = [
    ("self.encoding[start:end]", "self.encoding[: tokens.shape[1]]"),
]
