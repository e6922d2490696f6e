"""Takes the lowest weight."""

SAYS = "lowest weight"
CHANGES = [
    (
        "links = {(row, shares.index(max(shares))) for row, shares in enumerate(weights.tolist())}",
        "links = {(row, shares.index(min(shares))) for row, shares in enumerate(weights.tolist())}",
    ),
]
