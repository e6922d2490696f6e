"""Averages the cosines of the rows."""

SAYS = "row by row, and averaged"
CHANGES = [
    (
        "flattened = weights.flatten(start_dim=2)  # (layers, heads, m * n)",
        """rows = torch.nn.functional.normalize(weights, dim=-1)
    return torch.einsum("lhmn,lgmn->lhg", rows, rows) / weights.shape[2]""",
    ),
]
