"""The locked cell with the imports was deleted: it is restored."""

SCORE = 10.0
STATUS = "graded"
SAYS = "imports was deleted and is restored"


def edit(document):
    del document["cells"][0]
