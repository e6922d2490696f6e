"""Gives the last sine of an odd width a block of one."""

SAYS = "it returned a result"
CHANGES = [
    ("d_model < 1 or d_model % 2 != 0", "d_model < 1"),
    (
        "matrix[column, column] = matrix[column + 1, column + 1] = math.cos(angle)",
        """if column + 1 == d_model:
            continue
        matrix[column, column] = matrix[column + 1, column + 1] = math.cos(angle)""",
    ),
]
