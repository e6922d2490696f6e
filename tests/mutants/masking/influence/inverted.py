"""Says True where there is no influence."""

SAYS = "the matrix is inverted"
CHANGES = [
    ("return reached", "return ~reached"),
]
