"""Takes four layers where nothing is said."""

SAYS = "and nothing else is said"
CHANGES = [
    ("num_decoder_layers: int = 6", "num_decoder_layers: int = 4"),
]
