"""Takes True for: padding, in the encoder."""

SAYS = "the padding mask is negated"
CHANGES = [
    (
        """        mask = padding_mask(source, self.pad_id)
""",
        """        mask = ~padding_mask(source, self.pad_id)
""",
    ),
]
