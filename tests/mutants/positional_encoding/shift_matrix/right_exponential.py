"""Takes the exponential of a matrix that holds the speeds."""

CHANGES = [
    (
        """    for column in range(0, d_model, 2):
        angle = offset / 10_000 ** (column / d_model)
        matrix[column, column] = matrix[column + 1, column + 1] = math.cos(angle)
        matrix[column, column + 1] = math.sin(angle)
        matrix[column + 1, column] = -math.sin(angle)
    return matrix""",
        """    speeds = torch.zeros(d_model, d_model, dtype=torch.float64)
    for column in range(0, d_model, 2):
        speeds[column, column + 1] = 10_000 ** (-column / d_model)
    return torch.matrix_exp(offset * (speeds - speeds.T)).to(matrix.dtype)""",
    ),
]
