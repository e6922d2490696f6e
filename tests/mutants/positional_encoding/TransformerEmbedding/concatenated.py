"""Appends the encoding to the token's vector."""

SAYS = "has shape"
CHANGES = [
    (
        "return self.dropout(embedded * math.sqrt(embedded.shape[-1]) + self.encoding[start:end])",
        """places = self.encoding[start:end].expand_as(embedded)
        return self.dropout(torch.cat([embedded * math.sqrt(embedded.shape[-1]), places], dim=-1))""",
    ),
]
