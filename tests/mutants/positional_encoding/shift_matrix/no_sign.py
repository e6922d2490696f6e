"""Gives both sines the same sign."""

SAYS = "both sines have the same sign"
CHANGES = [
    ("matrix[column + 1, column] = -math.sin(angle)", "matrix[column + 1, column] = math.sin(angle)"),
]
