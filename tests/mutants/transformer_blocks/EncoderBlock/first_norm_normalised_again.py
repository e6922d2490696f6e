"""Hands the normalised x of attention to the second norm."""

SAYS = "used again after x has changed"
SAME_AS = "first_norm_read_again"
CHANGES = [
    ("self.feed_forward(self.norm_2(x))", "self.feed_forward(self.norm_2(y))"),
]
