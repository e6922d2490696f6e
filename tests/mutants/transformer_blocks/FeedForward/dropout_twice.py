"""Drops twice."""

SAYS = "works twice"
CHANGES = [
    ("self.dropout(hidden)", "self.dropout(self.dropout(hidden))"),
]
