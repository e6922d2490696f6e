"""Has dropout in the feed-forward alone."""

SAYS = "a sublayer still adds something"
CHANGES = [
    ("nn.Dropout(dropout)", "nn.Identity()"),
]
