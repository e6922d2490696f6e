"""Drops what cross-attention reads, not what it says."""

SAYS = "dropout falls on what the sublayer reads"
CHANGES = [
    (
        "self.dropout(self.cross_attention(x, memory, memory, memory_mask)[0])",
        "self.cross_attention(self.dropout(x), memory, memory, memory_mask)[0]",
    ),
    (
        "self.dropout(self.cross_attention(self.norm_2(x), memory, memory, memory_mask)[0])",
        "self.cross_attention(self.dropout(self.norm_2(x)), memory, memory, memory_mask)[0]",
    ),
]
