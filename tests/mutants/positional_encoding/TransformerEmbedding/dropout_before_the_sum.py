"""Drops the token's part before the encoding is added."""

SAYS = "before the encoding is added"
CHANGES = [
    (
        "return self.dropout(embedded * math.sqrt(embedded.shape[-1]) + self.encoding[start:end])",
        "return self.dropout(embedded * math.sqrt(embedded.shape[-1])) + self.encoding[start:end]",
    ),
]
