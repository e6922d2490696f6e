"""Forgets a norm of the pre-norm order."""

SAYS = "nothing is normalised"
CHANGES = [
    ("return x + self.dropout(self.feed_forward(self.norm_3(x)))", "return x + self.dropout(self.feed_forward(x))"),
]
