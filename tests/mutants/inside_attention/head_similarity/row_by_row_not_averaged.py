"""Leaves one cosine for each row."""

SAYS = "taken row by row"
CHANGES = [
    (
        "flattened = weights.flatten(start_dim=2)  # (layers, heads, m * n)",
        """rows = torch.nn.functional.normalize(weights, dim=-1)
    return torch.einsum("lhmn,lgmn->lhgm", rows, rows)""",
    ),
]
