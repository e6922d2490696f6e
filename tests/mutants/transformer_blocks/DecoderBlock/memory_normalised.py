"""Normalises the memory as well."""

SAYS = "norm_2 acts on the memory"
CHANGES = [
    (
        "self.cross_attention(self.norm_2(x), memory, memory, memory_mask)",
        "self.cross_attention(self.norm_2(x), self.norm_2(memory), self.norm_2(memory), memory_mask)",
    ),
]
