"""Uses view where the numbers do not lie in order."""

SAYS = "`view` after a transpose"
CHANGES = [
    ("x.transpose(1, 2).flatten(2)", "x.transpose(1, 2).view(x.shape[0], x.shape[2], -1)"),
]
