"""Normalises what the sublayer says, and then adds x."""

SAYS = "is normalised before it is added"
CHANGES = [
    (
        "x = self.norm_1(x + self.dropout(self.self_attention(x, x, x, self_mask)[0]))",
        "x = x + self.norm_1(self.dropout(self.self_attention(x, x, x, self_mask)[0]))",
    ),
]
