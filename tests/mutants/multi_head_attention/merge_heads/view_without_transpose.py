"""Believes that reshape alone brings the heads together."""

SAYS = "without the transpose back"
CHANGES = [
    ("x.transpose(1, 2).flatten(2)", "x.reshape(x.shape[0], x.shape[2], -1)"),
]
