"""Normalises before the sublayer and behind the sum."""

SAYS = "the norm acts twice"
CHANGES = [
    (
        "x = x + self.dropout(self.self_attention(y, y, y, self_mask)[0])",
        "x = self.norm_1(x + self.dropout(self.self_attention(y, y, y, self_mask)[0]))",
    ),
]
