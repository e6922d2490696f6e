"""Adds to x itself."""

SAYS = "changed its tensor argument"
CHANGES = [
    (
        "x = x + self.dropout(self.self_attention(y, y, y, mask)[0])",
        "x += self.dropout(self.self_attention(y, y, y, mask)[0])",
    ),
]
