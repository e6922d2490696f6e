"""Takes the dimension before the queries for the keys, which is that of the heads or of the batch."""

SAYS = "over the first dimension"
CHANGES = [
    (
        "weights = softmax(scores)",
        "weights = torch.softmax(scores, dim=-3 if scores.dim() > 2 else -1).nan_to_num(0.0)",
    ),
]
