"""Adds the sure links to the set of the caller."""

SAYS = "works in place"
CHANGES = [
    (
        "allowed = sure | (possible or set())",
        """allowed = set() if possible is None else possible
    allowed |= sure""",
    ),
]
