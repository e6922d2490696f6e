"""Takes the probability to drop for that to keep."""

SAYS = "dropout"
CHANGES = [
    ("nn.Dropout(dropout)", "nn.Dropout(1 - dropout if dropout else 0.0)"),
]
