"""Hands on what the feed-forward says, alone."""

SAYS = "the residual connection is missing"
CHANGES = [
    (
        "return self.norm_2(x + self.dropout(self.feed_forward(x)))",
        "return self.norm_2(self.dropout(self.feed_forward(x)))",
    ),
]
