"""Drops whole words."""

SAYS = "on whole words"
CHANGES = [
    (
        "return self.dropout(embedded * math.sqrt(embedded.shape[-1]) + self.encoding[start:end])",
        """kept = self.dropout(torch.ones_like(embedded[..., :1]))
        return kept * (embedded * math.sqrt(embedded.shape[-1]) + self.encoding[start:end])""",
    ),
]
