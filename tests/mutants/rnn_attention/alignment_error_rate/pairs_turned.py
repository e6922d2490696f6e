"""Writes pairs as (source, target)."""

SAYS = "are turned round"
CHANGES = [
    (
        "links = {(row, shares.index(max(shares))) for row, shares in enumerate(weights.tolist())}",
        "links = {(shares.index(max(shares)), row) for row, shares in enumerate(weights.tolist())}",
    ),
]
