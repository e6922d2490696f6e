"""Counts from 1."""

SAYS = "from 1; they count from 0"
CHANGES = [
    (
        "links = set(enumerate(weights.argmax(dim=1).tolist())) if weights.numel() else set()",
        """links = set(enumerate(weights.argmax(dim=1).tolist())) if weights.numel() else set()
    links = {(target + 1, source + 1) for target, source in links}""",
    ),
]
