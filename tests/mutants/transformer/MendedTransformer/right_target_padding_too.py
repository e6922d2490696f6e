"""Hides padding of the target too."""

CHANGES = [
    (
        "x = block(x, memory, causal_mask(target.shape[1]), source_mask)",
        """mask = combine_masks(causal_mask(target.shape[1]), padding_mask(target))
            x = block(x, memory, mask, source_mask)""",
    ),
]
