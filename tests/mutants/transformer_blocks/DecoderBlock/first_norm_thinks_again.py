"""Lets the feed-forward read what self-attention has read."""

SAYS = "used again after x has changed"
CHANGES = [
    ("self.feed_forward(self.norm_3(x))", "self.feed_forward(y)"),
]
