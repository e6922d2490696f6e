"""Reads the source again in decode."""

SAYS = "`decode` encodes the source anew"
CHANGES = [
    (
        "        memory_mask = padding_mask",
        """        memory = self.encode(source)
        memory_mask = padding_mask""",
    ),
]
