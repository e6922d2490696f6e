"""A notebook without a cell."""

SCORE = 0.0
STATUS = "graded"
SAYS = "cell double was deleted"


def edit(document):
    document["cells"] = []
