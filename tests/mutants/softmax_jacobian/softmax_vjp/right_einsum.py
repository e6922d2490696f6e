"""Writes the average as a sum over named indices."""

CHANGES = [
    (
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., 1)",
        "average = torch.einsum('...i,...i->...', grad_weights, weights)[..., None]",
    ),
]
