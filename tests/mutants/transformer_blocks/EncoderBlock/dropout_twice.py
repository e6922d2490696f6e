"""Drops what attention says twice."""

SAYS = "works twice"
CHANGES = [
    (
        "x = x + self.dropout(self.self_attention(y, y, y, mask)[0])",
        "x = x + self.dropout(self.dropout(self.self_attention(y, y, y, mask)[0]))",
    ),
]
