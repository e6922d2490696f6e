"""Does not think of None."""

SAYS = "AttributeError"
CHANGES = [
    ("if mask is None:", "if False:"),
    ("not isinstance(mask, Tensor) or ", ""),
]
