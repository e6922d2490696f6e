"""Writes pairs as (source, target)."""

SAYS = "are turned round"
CHANGES = [
    (
        "links = set(enumerate(weights.argmax(dim=1).tolist())) if weights.numel() else set()",
        """links = set(enumerate(weights.argmax(dim=1).tolist())) if weights.numel() else set()
    links = {pair[::-1] for pair in links}""",
    ),
]
