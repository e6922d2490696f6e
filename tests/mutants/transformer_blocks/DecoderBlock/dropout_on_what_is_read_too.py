"""Drops what cross-attention reads, and what it says."""

SAYS = "dropout falls on what the sublayer reads as well"
CHANGES = [
    (
        "self.cross_attention(self.norm_2(x), memory, memory, memory_mask)",
        "self.cross_attention(self.dropout(self.norm_2(x)), memory, memory, memory_mask)",
    ),
]
