"""Keeps the column as a tensor, which no pair of numbers equals."""

SAYS = "the column in your links is a tensor"
CHANGES = [
    (
        "links = set(enumerate(weights.argmax(dim=1).tolist())) if weights.numel() else set()",
        "links = set(enumerate(weights.argmax(dim=1))) if weights.numel() else set()",
    ),
]
