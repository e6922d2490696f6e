"""Normalises with norm_1 twice."""

SAYS = "one norm serves"
CHANGES = [
    (
        "return x + self.dropout(self.feed_forward(self.norm_2(x)))",
        "return x + self.dropout(self.feed_forward(self.norm_1(x)))",
    ),
]
