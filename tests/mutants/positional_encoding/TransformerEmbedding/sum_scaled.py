"""Scales the sum."""

SAYS = "only the token's part is"
CHANGES = [
    (
        "return self.dropout(embedded * math.sqrt(embedded.shape[-1]) + self.encoding[start:end])",
        "return self.dropout((embedded + self.encoding[start:end]) * math.sqrt(embedded.shape[-1]))",
    ),
]
