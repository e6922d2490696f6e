"""Asks the memory of post-norm with the x that came in."""

SAYS = "used again after x has changed"
CHANGES = [
    (
        "x = self.norm_1(x + self.dropout(self.self_attention(x, x, x, self_mask)[0]))",
        "start, x = x, self.norm_1(x + self.dropout(self.self_attention(x, x, x, self_mask)[0]))",
    ),
    ("self.cross_attention(x, memory", "self.cross_attention(start, memory"),
]
