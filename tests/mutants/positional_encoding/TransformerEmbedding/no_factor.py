"""Leaves sqrt(d_model) out."""

SAYS = "factor sqrt(d_model) is left out"
CHANGES = [
    (
        "return self.dropout(embedded * math.sqrt(embedded.shape[-1]) + self.encoding[start:end])",
        "return self.dropout(embedded + self.encoding[start:end])",
    ),
]
