"""Takes softmax over the first dimension."""

SAYS = "over the first dimension"
CHANGES = [
    ("weights = softmax(scores / scale)  # (..., n)", "weights = torch.softmax(scores / scale, dim=0)"),
]
