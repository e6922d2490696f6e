"""Takes softmax over the dimension before the last."""

SAYS = "over the dimension before the last"
CHANGES = [
    (
        "weights = softmax(scores / scale)  # (..., n)",
        "weights = torch.softmax(scores / scale, dim=-2 if scores.dim() > 1 else -1)",
    ),
]
