"""Drops what the feed-forward reads."""

SAYS = "dropout falls on what the sublayer reads"
CHANGES = [
    ("self.dropout(self.feed_forward(x))", "self.feed_forward(self.dropout(x))"),
    ("self.dropout(self.feed_forward(self.norm_2(x)))", "self.feed_forward(self.dropout(self.norm_2(x)))"),
]
