"""Reads the memory with the other attention."""

SAYS = "have each other's weights"
CHANGES = [
    ("self.self_attention(x, x, x, self_mask)", "self.cross_attention(x, x, x, self_mask)"),
    ("self.cross_attention(x, memory", "self.self_attention(x, memory"),
]
