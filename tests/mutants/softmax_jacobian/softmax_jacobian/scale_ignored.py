"""Does not use the scale at all."""

SAYS = "`scale` is not used"
CHANGES = [
    ("weights = softmax(scores / scale)  # (..., n)", "weights = softmax(scores)"),
    ("return (torch.diag_embed(weights) - products) / scale", "return (torch.diag_embed(weights) - products)"),
]
