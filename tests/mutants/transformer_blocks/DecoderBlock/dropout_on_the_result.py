"""Drops the result of the last norm."""

SAYS = "dropout falls on the sum"
SAME_AS = "dropout_on_the_sum_pre_norm"
CHANGES = [
    (
        "return self.norm_3(x + self.dropout(self.feed_forward(x)))",
        "return self.dropout(self.norm_3(x + self.feed_forward(x)))",
    ),
]
