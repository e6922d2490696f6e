"""Does not compare the batches."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("if target.shape[0] != source.shape[0]:", "if False:"),
]
