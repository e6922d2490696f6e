"""Takes the maximum over dim 0, and numbers what comes out as if it were over the source words."""

SAYS = "and the pairs are (source, target)"
CHANGES = [
    (
        "links = set(enumerate(weights.argmax(dim=1).tolist())) if weights.numel() else set()",
        "links = set(enumerate(weights.argmax(dim=0).tolist())) if weights.numel() else set()",
    ),
]
