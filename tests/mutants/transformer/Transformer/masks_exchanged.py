"""Hands the two masks of the decoder over in the wrong order."""

SAYS = "ValueError"
CHANGES = [
    ("self_mask, memory_mask)", "memory_mask, self_mask)"),
]
