"""Takes the values from the target."""

SAYS = "it raised"
CHANGES = [
    ("self.cross_attention(x, memory, memory, memory_mask)", "self.cross_attention(x, memory, x, memory_mask)"),
]
