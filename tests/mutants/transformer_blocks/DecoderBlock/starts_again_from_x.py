"""Adds what every sublayer says to the input of the block."""

SAYS = "starts from the input of the block"
CHANGES = [
    (
        "x = x + self.dropout(self.self_attention(y, y, y, self_mask)[0])",
        """start = x
            x = x + self.dropout(self.self_attention(y, y, y, self_mask)[0])""",
    ),
    (
        "x = x + self.dropout(self.cross_attention(self.norm_2(x), memory, memory, memory_mask)[0])",
        "x = start + self.dropout(self.cross_attention(self.norm_2(x), memory, memory, memory_mask)[0])",
    ),
    (
        "return x + self.dropout(self.feed_forward(self.norm_3(x)))",
        "return start + self.dropout(self.feed_forward(self.norm_3(x)))",
    ),
]
