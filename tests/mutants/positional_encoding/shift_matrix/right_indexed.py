"""Sets all blocks at once."""

CHANGES = [
    (
        """    for column in range(0, d_model, 2):
        angle = offset / 10_000 ** (column / d_model)
        matrix[column, column] = matrix[column + 1, column + 1] = math.cos(angle)
        matrix[column, column + 1] = math.sin(angle)
        matrix[column + 1, column] = -math.sin(angle)
""",
        """    even = torch.arange(0, d_model, 2)
    angles = offset / 10_000 ** (even.double() / d_model)
    matrix[even, even] = matrix[even + 1, even + 1] = angles.cos().to(matrix.dtype)
    matrix[even, even + 1] = angles.sin().to(matrix.dtype)
    matrix[even + 1, even] = -angles.sin().to(matrix.dtype)
""",
    ),
]
