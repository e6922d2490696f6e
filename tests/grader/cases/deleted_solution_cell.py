"""A solution cell was deleted; the function stands in a cell of its own."""

SCORE = 10.0
STATUS = "graded"


def edit(document):
    cell = document["cells"][1]
    cell["metadata"], cell["id"] = {}, "mine"
