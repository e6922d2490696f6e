"""Normalises the result in the pre-norm order as well."""

SAYS = "it belongs to the model"
CHANGES = [
    (
        "return x + self.dropout(self.feed_forward(self.norm_3(x)))",
        "return self.norm_3(x + self.dropout(self.feed_forward(self.norm_3(x))))",
    ),
]
