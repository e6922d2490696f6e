"""Drops weights at random in training."""

SAYS = "none of the mistakes that we know"
CHANGES = [
    ("merge_heads(mixed)", "merge_heads(nn.functional.dropout(mixed, 0.1, self.training))"),
]
