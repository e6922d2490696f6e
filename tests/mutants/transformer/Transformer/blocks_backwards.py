"""Goes through the blocks from the last."""

SAYS = "read from its end"
CHANGES = [
    ("for block in self.encoder_blocks:", "for block in reversed(self.encoder_blocks):"),
]
