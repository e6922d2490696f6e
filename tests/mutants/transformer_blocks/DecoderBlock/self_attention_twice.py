"""Calls the first attention for the memory too."""

SAYS = "`cross_attention` is never called"
CHANGES = [
    ("self.cross_attention(x, memory", "self.self_attention(x, memory"),
    ("self.cross_attention(self.norm_2(x), memory", "self.self_attention(self.norm_2(x), memory"),
]
