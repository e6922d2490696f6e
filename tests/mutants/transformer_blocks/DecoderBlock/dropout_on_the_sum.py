"""Drops the sum, with x in it."""

SAYS = "dropout falls on the sum"
CHANGES = [
    (
        "return self.norm_3(x + self.dropout(self.feed_forward(x)))",
        "return self.norm_3(self.dropout(x + self.feed_forward(x)))",
    ),
]
