"""Scales the sum."""

SAYS = "only the token's part is"
CHANGES = [
    ("embedded = embedded * math.sqrt(table.shape[-1])", "pass"),
    ("embedded + positions", "(embedded + positions) * math.sqrt(table.shape[-1])"),
]
