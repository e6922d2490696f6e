"""Gives the decoder no mask for the memory."""

SAYS = "get no mask for the memory"
CHANGES = [
    ("x = block(x, memory, self_mask, memory_mask)", "x = block(x, memory, self_mask)"),
]
