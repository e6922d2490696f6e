"""Makes the diagonal in float32 and so decides the dtype of the result."""

SAYS = "conversion"
CHANGES = [
    (
        "return (torch.diag_embed(weights) - products) / scale",
        "return ((torch.diag_embed(weights) - products) / scale).float()",
    ),
]
