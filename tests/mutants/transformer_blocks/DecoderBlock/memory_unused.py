"""Lets cross-attention read the target."""

SAYS = "in the place of the memory"
CHANGES = [
    ("self.cross_attention(x, memory, memory, memory_mask)", "self.cross_attention(x, x, x)"),
]
