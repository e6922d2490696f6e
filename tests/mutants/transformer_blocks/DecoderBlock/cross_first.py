"""Attends to the source before the target."""

SAYS = "in another order"
CHANGES = [
    (
        """x = self.norm_1(x + self.dropout(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm_2(x + self.dropout(self.cross_attention(x, memory, memory, memory_mask)[0]))""",
        """x = self.norm_2(x + self.dropout(self.cross_attention(x, memory, memory, memory_mask)[0]))
        x = self.norm_1(x + self.dropout(self.self_attention(x, x, x, self_mask)[0]))""",
    ),
]
