"""Works on every word before it has seen the source."""

SAYS = "in another order"
CHANGES = [
    (
        """x = self.norm_2(x + self.dropout(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm_3(x + self.dropout(self.feed_forward(x)))""",
        """x = self.norm_3(x + self.dropout(self.feed_forward(x)))
        return self.norm_2(x + self.dropout(self.cross_attention(x, memory, memory, memory_mask)[0]))""",
    ),
]
