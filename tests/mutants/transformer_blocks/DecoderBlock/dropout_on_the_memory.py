"""Drops the memory."""

SAYS = "dropout falls on what the sublayer reads as well"
CHANGES = [
    (
        "self.cross_attention(self.norm_2(x), memory, memory, memory_mask)",
        "self.cross_attention(self.norm_2(x), *[self.dropout(memory)] * 2, memory_mask)",
    ),
]
