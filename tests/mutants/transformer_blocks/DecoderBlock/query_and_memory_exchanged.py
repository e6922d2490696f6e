"""Takes the query from the memory, and adds to the target."""

SAYS = "query and memory are exchanged: the target asks"
CHANGES = [
    ("self.cross_attention(x, memory, memory, memory_mask)", "self.cross_attention(memory, x, x, memory_mask)"),
    (
        "self.cross_attention(self.norm_2(x), memory, memory, memory_mask)",
        "self.cross_attention(memory, self.norm_2(x), self.norm_2(x), memory_mask)",
    ),
]
