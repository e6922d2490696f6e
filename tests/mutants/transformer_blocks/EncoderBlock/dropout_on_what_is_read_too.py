"""Drops what attention reads, and what it says."""

SAYS = "dropout falls on what the sublayer reads as well"
CHANGES = [
    ("y = self.norm_1(x)", "y = self.dropout(self.norm_1(x))"),
]
