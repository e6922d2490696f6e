"""Halves the sum."""

SAYS = "none of the mistakes"
CHANGES = [
    (
        "return x + self.dropout(self.feed_forward(self.norm_2(x)))",
        "return 0.5 * x + self.dropout(self.feed_forward(self.norm_2(x)))",
    ),
]
