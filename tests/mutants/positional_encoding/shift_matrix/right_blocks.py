"""Lays blocks of two by two along the diagonal."""

CHANGES = [
    (
        "return matrix",
        """blocks = [matrix[i : i + 2, i : i + 2] for i in range(0, d_model, 2)]
    return torch.block_diag(*blocks)""",
    ),
]
