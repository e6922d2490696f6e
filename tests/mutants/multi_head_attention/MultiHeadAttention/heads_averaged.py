"""Averages the heads in the place of writing them side by side."""

SAYS = "the heads are averaged"
CHANGES = [
    ("merge_heads(mixed)", "mixed.mean(1).repeat(1, 1, self.num_heads)"),
]
