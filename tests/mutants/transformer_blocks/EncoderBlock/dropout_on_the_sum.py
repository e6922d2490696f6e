"""Drops the sum, with x in it."""

SAYS = "dropout falls on the sum"
CHANGES = [
    (
        "return self.norm_2(x + self.dropout(self.feed_forward(x)))",
        "return self.norm_2(self.dropout(x + self.feed_forward(x)))",
    ),
]
