"""Takes mean and variance for constants."""

SAYS = "mean and variance are taken for constants"
CHANGES = [
    ("return (scaled - scaled.mean(-1, keepdim=True) - normal * along) / deviation", "return scaled / deviation"),
]
