"""Takes four layers where nothing is said."""

SAYS = "another default than the paper's"
CHANGES = [
    ("num_decoder_layers: int = 6", "num_decoder_layers: int = 4"),
]
