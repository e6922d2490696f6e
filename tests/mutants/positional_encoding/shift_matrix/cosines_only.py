"""Forgets the sines."""

SAYS = "the sines are missing"
CHANGES = [
    ("matrix[column, column + 1] = math.sin(angle)", "pass"),
    ("matrix[column + 1, column] = -math.sin(angle)", "pass"),
]
