"""Has a dropout of its own for each sublayer, and reads no weights."""

CHANGES = [
    (
        "self.dropout = nn.Dropout(dropout)",
        """self.dropout = nn.Dropout(dropout)
        self.dropout_2 = nn.Dropout(dropout)""",
    ),
    (
        "return x + self.dropout(self.feed_forward(self.norm_3(x)))",
        "return x + self.dropout_2(self.feed_forward(self.norm_3(x)))",
    ),
    (
        "return self.norm_3(x + self.dropout(self.feed_forward(x)))",
        "return self.norm_3(x + self.dropout_2(self.feed_forward(x)))",
    ),
    ("self.self_attention(x, x, x, self_mask)[0]", "self.self_attention(x, x, x, self_mask, need_weights=False)[0]"),
]
