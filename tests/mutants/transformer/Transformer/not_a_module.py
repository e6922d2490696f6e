"""Writes a plain class."""

SAYS = "does not inherit from `nn.Module`"
CHANGES = [
    ("class Transformer(nn.Module):", "class Transformer:"),
]
