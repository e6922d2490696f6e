"""Fixes the dtype."""

SAYS = "made without a dtype"
CHANGES = [
    ("return matrix", "return matrix.float()"),
]
