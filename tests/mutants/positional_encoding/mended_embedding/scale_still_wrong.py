"""Finds the wrong dimension, and not the division."""

SAYS = "divided by sqrt(d_model), not times"
CHANGES = [
    ("embedded = embedded * math.sqrt(table.shape[-1])", "embedded = embedded / math.sqrt(table.shape[-1])"),
]
