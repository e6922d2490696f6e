"""Lets the encoder look back only, like the decoder."""

SAYS = "a causal mask in the encoder"
CHANGES = [
    (
        """        mask = padding_mask(source, self.pad_id)
""",
        """        mask = combine_masks(padding_mask(source, self.pad_id), causal_mask(source.shape[1]))
""",
    ),
]
