"""Divides by sqrt(d_model), as attention does."""

SAYS = "divided by sqrt(d_model)"
CHANGES = [
    (
        "return self.dropout(embedded * math.sqrt(embedded.shape[-1]) + self.encoding[start:end])",
        "return self.dropout(embedded / math.sqrt(embedded.shape[-1]) + self.encoding[start:end])",
    ),
]
