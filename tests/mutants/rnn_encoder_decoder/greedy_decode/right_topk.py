"""Takes the first of the top 1."""

CHANGES = [
    (
        "logits.argmax(dim=1)",
        "logits.softmax(dim=1).topk(1).indices[:, 0]",
    ),
]
