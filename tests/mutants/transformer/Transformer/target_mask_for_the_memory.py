"""Makes the mask for the memory from the target."""

SAYS = "ValueError"
CHANGES = [
    ("memory_mask = padding_mask(source, self.pad_id)", "memory_mask = padding_mask(target, self.pad_id)"),
]
