"""Hides padding in the decoder, and not the future."""

SAYS = "no causal mask in the decoder"
CHANGES = [
    ("combine_masks(causal, padding_mask(target, self.pad_id))", "padding_mask(target, self.pad_id)"),
]
