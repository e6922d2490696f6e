"""Takes the mean of the squares for the variance."""

SAYS = "without its mean"
CHANGES = [
    ("centred.square()", "x.square()"),
]
