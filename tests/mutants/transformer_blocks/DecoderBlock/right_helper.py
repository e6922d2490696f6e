"""Writes one residual function for both orders."""

CHANGES = [
    (
        """        if self.norm_first:
            y = self.norm_1(x)
""",
        """        def add(x, sublayer, norm):
            if self.norm_first:
                return x + self.dropout(sublayer(norm(x)))
            return norm(x + self.dropout(sublayer(x)))

        x = add(x, lambda y: self.self_attention(y, y, y, self_mask)[0], self.norm_1)
        x = add(x, lambda y: self.cross_attention(y, memory, memory, memory_mask)[0], self.norm_2)
""",
    ),
    (
        """            x = x + self.dropout(self.self_attention(y, y, y, self_mask)[0])
""",
        "",
    ),
    (
        """            x = x + self.dropout(self.cross_attention(self.norm_2(x), memory, memory, memory_mask)[0])
""",
        "",
    ),
    (
        """        x = self.norm_2(x + self.dropout(self.cross_attention(x, memory, memory, memory_mask)[0]))
""",
        "",
    ),
    (
        """            return x + self.dropout(self.feed_forward(self.norm_3(x)))
""",
        "",
    ),
    (
        """        x = self.norm_1(x + self.dropout(self.self_attention(x, x, x, self_mask)[0]))
""",
        "",
    ),
    ("return self.norm_3(x + self.dropout(self.feed_forward(x)))", "return add(x, self.feed_forward, self.norm_3)"),
]
