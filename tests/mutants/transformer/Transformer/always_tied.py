"""Ties the weights always."""

SAYS = "among the parameters there is"
CHANGES = [
    ("if tie_weights:", "if True:"),
]
