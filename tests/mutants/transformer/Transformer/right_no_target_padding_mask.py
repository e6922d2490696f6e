"""Needs no padding mask for the target: with padding on the right, the causal mask hides it from all words."""

CHANGES = [
    ("self_mask = combine_masks(causal, padding_mask(target, self.pad_id))", "self_mask = causal"),
]
