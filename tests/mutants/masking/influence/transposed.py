"""Exchanges rows and columns."""

SAYS = "the matrix is transposed"
CHANGES = [
    ("return reached", "return reached.T"),
]
