"""Puts the feed-forward first."""

SAYS = "each other's place"
CHANGES = [
    (
        "x = self.norm_1(x + self.dropout(self.self_attention(x, x, x, mask)[0]))",
        "x = self.norm_1(x + self.dropout(self.feed_forward(x)))",
    ),
    (
        "return self.norm_2(x + self.dropout(self.feed_forward(x)))",
        "return self.norm_2(x + self.dropout(self.self_attention(x, x, x, mask)[0]))",
    ),
]
