"""Forgets dropout."""

SAYS = "dropout is not used"
CHANGES = [
    ("self.dropout(hidden)", "hidden"),
]
