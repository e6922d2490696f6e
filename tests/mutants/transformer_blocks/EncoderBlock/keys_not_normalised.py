"""Normalises the query alone."""

SAYS = "for the query alone"
CHANGES = [
    ("self.self_attention(y, y, y, mask)", "self.self_attention(y, x, x, mask)"),
]
