"""Takes the last word on a tie."""

SAYS = "on a tie the last"
CHANGES = [
    (
        "links = {(row, shares.index(max(shares))) for row, shares in enumerate(weights.tolist())}",
        "links = {(row, len(x) - 1 - x[::-1].index(max(x))) for row, x in enumerate(weights.tolist())}",
    ),
]
