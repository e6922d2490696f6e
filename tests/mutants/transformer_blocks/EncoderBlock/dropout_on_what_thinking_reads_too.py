"""Drops what the feed-forward reads, and what it says."""

SAYS = "dropout falls on what the sublayer reads"
CHANGES = [
    ("self.feed_forward(self.norm_2(x))", "self.feed_forward(self.dropout(self.norm_2(x)))"),
]
