"""Takes 256 columns where nothing is said."""

SAYS = "no blocks, and nothing else is said"
CHANGES = [
    ("d_model: int = 512", "d_model: int = 256"),
]
