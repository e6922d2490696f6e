"""Forgets a norm."""

SAYS = "the norm is not used"
CHANGES = [
    ("return self.norm_2(x + self.dropout(self.feed_forward(x)))", "return x + self.dropout(self.feed_forward(x))"),
]
