"""Takes the last result of the search."""

SAYS = "not the best ones"
CHANGES = [("alpha)[0] for row", "alpha)[-1] for row")]
