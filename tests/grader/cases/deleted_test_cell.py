"""A test cell was deleted: it is restored."""

SCORE = 10.0
STATUS = "graded"
SAYS = "cell test-double was deleted and is restored"


def edit(document):
    del document["cells"][2]
