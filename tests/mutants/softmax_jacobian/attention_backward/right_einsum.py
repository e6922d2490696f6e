"""Writes all products as sums over named indices."""

CHANGES = [
    (
        "grad_value = weights.transpose(-2, -1) @ grad_output  # (..., n, d_v)",
        "grad_value = torch.einsum('...mn,...mv->...nv', weights, grad_output)",
    ),
    (
        "return grad_scores @ key, grad_scores.transpose(-2, -1) @ query, grad_value",
        """return (
        torch.einsum('...mn,...nd->...md', grad_scores, key),
        torch.einsum('...mn,...md->...nd', grad_scores, query),
        grad_value,
    )""",
    ),
]
