"""Goes through the decoder from its last block."""

SAYS = "read from its end"
CHANGES = [
    ("for block in self.decoder_blocks:", "for block in reversed(self.decoder_blocks):"),
]
