"""Two copies of a solution cell were worked on: the last one counts, as in the notebook."""

SCORE = 10.0
STATUS = "graded"
SAYS = "double was there 2 times"


def edit(document):
    document["cells"].insert(1, {**document["cells"][1], "source": "def double(x):\n    return 0"})
