"""A test cell is there twice, in an otherwise right submission."""

SCORE = 10.0
STATUS = "graded"


def edit(document):
    document["cells"].append(dict(document["cells"][2]))
