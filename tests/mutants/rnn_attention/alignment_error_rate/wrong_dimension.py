"""Links each source word."""

SAYS = "over the wrong dimension"
CHANGES = [
    (
        "links = set(enumerate(weights.argmax(dim=1).tolist())) if weights.numel() else set()",
        """best = weights.argmax(dim=0).tolist() if len(weights) else []
    links = {(target, source) for source, target in enumerate(best)}""",
    ),
]
