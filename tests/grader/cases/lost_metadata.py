"""An editor dropped all nbgrader metadata; cell ids are still there."""

SCORE = 10.0
STATUS = "graded"
SAYS = "lost its nbgrader metadata"


def edit(document):
    for cell in document["cells"]:
        cell["metadata"] = {}
