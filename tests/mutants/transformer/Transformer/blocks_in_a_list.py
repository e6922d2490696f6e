"""Keeps the blocks in a plain list."""

SAYS = "a plain list"
CHANGES = [
    ("self.encoder_blocks = nn.ModuleList(", "self.encoder_blocks = list("),
]
