"""Builds the matrix for rows: PE[p] @ M."""

SAYS = "transposed"
SAME_AS = "transposed"
CHANGES = [
    ("return matrix", "return matrix.T"),
]
