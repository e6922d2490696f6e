"""Lets cross-attention read the target in the pre-norm order."""

SAYS = "does not depend on the memory"
CHANGES = [
    (
        "self.cross_attention(self.norm_2(x), memory, memory, memory_mask)",
        "self.cross_attention(self.norm_2(x), self.norm_2(x), self.norm_2(x))",
    ),
]
