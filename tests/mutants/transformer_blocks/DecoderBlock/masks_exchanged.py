"""Gives each attention the mask of the other."""

SAYS = "it raised ValueError"
CHANGES = [
    ("self.self_attention(x, x, x, self_mask)", "self.self_attention(x, x, x, memory_mask)"),
    ("self.cross_attention(x, memory, memory, memory_mask)", "self.cross_attention(x, memory, memory, self_mask)"),
]
