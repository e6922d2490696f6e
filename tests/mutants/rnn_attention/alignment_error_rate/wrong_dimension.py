"""Links each source word."""

SAYS = "over the wrong dimension"
CHANGES = [
    (
        "links = {(row, shares.index(max(shares))) for row, shares in enumerate(weights.tolist())}",
        """best = weights.argmax(dim=0).tolist() if len(weights) else []
    links = {(target, source) for source, target in enumerate(best)}""",
    ),
]
