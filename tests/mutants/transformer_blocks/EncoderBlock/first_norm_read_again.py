"""Lets the feed-forward read what attention has read."""

SAYS = "used again after x has changed"
CHANGES = [
    ("self.feed_forward(self.norm_2(x))", "self.feed_forward(y)"),
]
