"""Computes something else in evaluation mode."""

SAYS = "evaluation mode"
CHANGES = [
    ("merge_heads(mixed)", "merge_heads(mixed if self.training else mixed * 0.9)"),
]
