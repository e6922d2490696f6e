"""Makes a mask only where there is padding."""

CHANGES = [
    (
        """        mask = padding_mask(source, self.pad_id)
""",
        """        mask = padding_mask(source, self.pad_id) if (source == self.pad_id).any() else None
""",
    ),
]
