"""Exchanges the first and the last norm."""

SAYS = "are exchanged"
CHANGES = [
    ("y = self.norm_1(x)", "y = self.norm_2(x)"),
    (
        "return x + self.dropout(self.feed_forward(self.norm_2(x)))",
        "return x + self.dropout(self.feed_forward(self.norm_1(x)))",
    ),
]
