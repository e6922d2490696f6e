"""Forgets one residual of the pre-norm order."""

SAYS = "x itself does not come through, around self-attention"
CHANGES = [
    (
        "x = x + self.dropout(self.self_attention(y, y, y, self_mask)[0])",
        "x = self.dropout(self.self_attention(y, y, y, self_mask)[0])",
    ),
]
