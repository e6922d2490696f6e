"""Drops what the sublayers read, not what they say."""

SAYS = "dropout falls on what the sublayer reads"
CHANGES = [
    ("self.dropout(self.self_attention(x, x, x, mask)[0])", "self.self_attention(*[self.dropout(x)] * 3, mask)[0]"),
    ("self.dropout(self.feed_forward(x))", "self.feed_forward(self.dropout(x))"),
    ("y = self.norm_1(x)", "y = self.dropout(self.norm_1(x))"),
    ("self.dropout(self.self_attention(y, y, y, mask)[0])", "self.self_attention(y, y, y, mask)[0]"),
    ("self.dropout(self.feed_forward(self.norm_2(x)))", "self.feed_forward(self.dropout(self.norm_2(x)))"),
]
