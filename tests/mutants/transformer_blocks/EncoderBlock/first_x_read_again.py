"""Lets the feed-forward of post-norm read the x that came in."""

SAYS = "used again after x has changed"
CHANGES = [
    (
        "x = self.norm_1(x + self.dropout(self.self_attention(x, x, x, mask)[0]))",
        "start, x = x, self.norm_1(x + self.dropout(self.self_attention(x, x, x, mask)[0]))",
    ),
    ("self.feed_forward(x)", "self.feed_forward(start)"),
]
