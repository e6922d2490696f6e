"""An editor dropped all nbgrader metadata and cell ids."""

SCORE = 10.0
STATUS = "graded"
SAYS = "lost its nbgrader metadata"


def edit(document):
    document["nbformat_minor"] = 4
    for cell in document["cells"]:
        cell["metadata"] = {}
        del cell["id"]
