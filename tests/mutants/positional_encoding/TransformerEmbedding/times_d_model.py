"""Multiplies by d_model itself."""

SAYS = "not its root"
CHANGES = [
    (
        "return self.dropout(embedded * math.sqrt(embedded.shape[-1]) + self.encoding[start:end])",
        "return self.dropout(embedded * embedded.shape[-1] + self.encoding[start:end])",
    ),
]
