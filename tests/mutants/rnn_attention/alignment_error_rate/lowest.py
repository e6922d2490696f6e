"""Takes the lowest weight."""

SAYS = "lowest weight"
CHANGES = [
    (
        "links = set(enumerate(weights.argmax(dim=1).tolist())) if weights.numel() else set()",
        "links = set(enumerate(weights.argmin(dim=1).tolist())) if weights.numel() else set()",
    ),
]
