"""Takes the last word on a tie."""

SAYS = "on a tie the last"
CHANGES = [
    (
        "links = set(enumerate(weights.argmax(dim=1).tolist())) if weights.numel() else set()",
        "links = {(row, len(x) - 1 - x[::-1].index(max(x))) for row, x in enumerate(weights.tolist())}",
    ),
]
