"""Believes that True hides."""

SAYS = "memory_mask is turned round"
CHANGES = [
    (
        "self.cross_attention(x, memory, memory, memory_mask)",
        "self.cross_attention(x, memory, memory, None if memory_mask is None else ~memory_mask)",
    ),
]
