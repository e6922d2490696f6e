"""Forgets memory_mask."""

SAYS = "memory_mask is not handed on"
CHANGES = [
    ("self.cross_attention(x, memory, memory, memory_mask)", "self.cross_attention(x, memory, memory)"),
]
