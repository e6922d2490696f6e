"""Hands on what the feed-forward says, alone."""

SAYS = "the residual connection is missing"
CHANGES = [
    (
        "return self.norm_3(x + self.dropout(self.feed_forward(x)))",
        "return self.norm_3(self.dropout(self.feed_forward(x)))",
    ),
]
