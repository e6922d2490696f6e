"""Lets a larger batch pass, and torch complain."""

SAYS = "batch size"
CHANGES = [
    ("if tensor.shape[:-2] != query.shape[:-2]:", "if False:"),
]
