"""Gives each block of the decoder what the same block of the encoder said."""

SAYS = "a memory for each layer"
CHANGES = [
    (
        """            x = block(x, mask)
""",
        """            x = block(x, mask)
            self.said.append(x)
""",
    ),
    (
        "        for block in self.encoder_blocks:",
        """        self.said = []
        for block in self.encoder_blocks:""",
    ),
    (
        """        for block in self.decoder_blocks:
            x = block(x, memory, """,
        """        for number, block in enumerate(self.decoder_blocks):
            one = self.said[min(number, len(self.said) - 1)] if self.said else memory
            one = memory if number >= len(self.said) - 1 else one
            x = block(x, one, """,
    ),
]
