"""Writes the product as a sum over named indices."""

CHANGES = [
    (
        "products = weights.unsqueeze(-1) * weights.unsqueeze(-2)  # (..., n, n)",
        "products = torch.einsum('...i,...j->...ij', weights, weights)",
    ),
]
