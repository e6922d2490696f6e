"""Adds what the feed-forward says to what it read."""

SAYS = "through normalised, around the feed-forward"
CHANGES = [
    (
        "return x + self.dropout(self.feed_forward(self.norm_3(x)))",
        """x = self.norm_3(x)
            return x + self.dropout(self.feed_forward(x))""",
    ),
]
