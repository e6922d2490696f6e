"""The metadata are a text."""

SCORE = 10.0
STATUS = "graded"
SAYS = "lost its nbgrader metadata"


def edit(document):
    document["cells"][1]["metadata"] = "none"
    document["cells"][3]["metadata"]["nbgrader"] = "none"
