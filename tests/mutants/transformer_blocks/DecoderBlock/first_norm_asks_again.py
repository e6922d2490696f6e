"""Asks the memory with what self-attention has read."""

SAYS = "used again after x has changed"
CHANGES = [
    ("self.cross_attention(self.norm_2(x), memory", "self.cross_attention(y, memory"),
]
