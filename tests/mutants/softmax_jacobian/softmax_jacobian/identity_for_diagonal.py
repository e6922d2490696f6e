"""Reads the Kronecker delta as the whole first term."""

SAYS = "the identity matrix"
CHANGES = [
    (
        "return (torch.diag_embed(weights) - products) / scale",
        "return (torch.eye(scores.shape[-1], dtype=scores.dtype) - products) / scale",
    ),
]
