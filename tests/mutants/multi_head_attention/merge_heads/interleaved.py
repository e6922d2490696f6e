"""Takes the first column of every head first."""

SAYS = "the heads are interleaved"
CHANGES = [
    ("x.transpose(1, 2).flatten(2)", "x.permute(0, 2, 3, 1).flatten(2)"),
]
