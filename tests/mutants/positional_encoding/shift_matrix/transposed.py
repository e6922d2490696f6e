"""Turns the other way."""

SAYS = "transposed"
CHANGES = [
    ("matrix[column, column + 1] = math.sin(angle)", "matrix[column, column + 1] = -math.sin(angle)"),
    ("matrix[column + 1, column] = -math.sin(angle)", "matrix[column + 1, column] = math.sin(angle)"),
]
