"""Centres with a matrix, and takes lengths."""

CHANGES = [
    (
        "centred = x - x.mean(dim=-1, keepdim=True)",
        """d = x.shape[-1]
        centred = x @ (torch.eye(d, dtype=x.dtype) - 1 / d)""",
    ),
    (
        "variance = centred.square().mean(dim=-1, keepdim=True)  # (..., 1)",
        "variance = torch.einsum('...i,...i->...', centred, centred).unsqueeze(-1) / d",
    ),
]
