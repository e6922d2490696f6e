"""Forgets dropout."""

SAYS = "dropout is not used"
CHANGES = [
    (
        "self.dropout(embedded * math.sqrt(embedded.shape[-1]) + self.encoding[start:end])",
        "embedded * math.sqrt(embedded.shape[-1]) + self.encoding[start:end]",
    ),
]
