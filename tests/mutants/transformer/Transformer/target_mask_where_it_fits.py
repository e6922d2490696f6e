"""Makes the mask for the memory from the target where the lengths agree."""

SAYS = "whose words are the keys in cross-attention"
CHANGES = [
    (
        "memory_mask = padding_mask(source, self.pad_id)",
        "memory_mask = padding_mask(target if target.shape == source.shape else source, self.pad_id)",
    ),
]
