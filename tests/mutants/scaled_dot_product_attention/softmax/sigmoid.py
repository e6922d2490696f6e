"""Takes softmax for a sigmoid of each score."""

SAYS = "each score alone"
CHANGES = [
    ("return exponentials / total.masked_fill(total == 0, 1.0)", "return torch.sigmoid(scores)"),
]
