"""Links every word with more than half of the attention."""

SAYS = "only the highest weight"
CHANGES = [
    (
        "links = set(enumerate(weights.argmax(dim=1).tolist())) if weights.numel() else set()",
        "links = {tuple(pair) for pair in (weights > 0.5).nonzero().tolist()}",
    ),
]
