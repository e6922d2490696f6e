"""Adds what the feed-forward says to the input of the block."""

SAYS = "starts from the input of the block"
CHANGES = [
    (
        "x = x + self.dropout(self.self_attention(y, y, y, mask)[0])",
        """start = x
            x = x + self.dropout(self.self_attention(y, y, y, mask)[0])""",
    ),
    (
        "return x + self.dropout(self.feed_forward(self.norm_2(x)))",
        "return start + self.dropout(self.feed_forward(self.norm_2(x)))",
    ),
]
