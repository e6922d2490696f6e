"""Writes a class that is no module."""

SAYS = "does not inherit"
CHANGES = [
    ("class MultiHeadAttention(nn.Module):", "class MultiHeadAttention:"),
]
