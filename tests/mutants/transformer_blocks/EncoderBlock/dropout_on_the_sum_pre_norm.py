"""Drops the stream itself."""

SAYS = "everything is zero"
CHANGES = [
    (
        "return x + self.dropout(self.feed_forward(self.norm_2(x)))",
        "return self.dropout(x + self.feed_forward(self.norm_2(x)))",
    ),
]
