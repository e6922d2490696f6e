"""Cuts the memory off from the gradient."""

SAYS = "gradient"
CHANGES = [
    (
        "self.cross_attention(x, memory, memory, memory_mask)",
        "self.cross_attention(x, memory.detach(), memory.detach(), memory_mask)",
    ),
]
