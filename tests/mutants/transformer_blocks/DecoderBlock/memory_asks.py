"""Takes the query from the memory."""

SAYS = "the query comes from the memory"
CHANGES = [
    (
        "x = self.norm_2(x + self.dropout(self.cross_attention(x, memory, memory, memory_mask)[0]))",
        "x = self.norm_2(memory + self.dropout(self.cross_attention(memory, x, x)[0]))",
    ),
]
