"""The points of a test are missing in the metadata."""

SCORE = 10.0
STATUS = "graded"


def edit(document):
    del document["cells"][2]["metadata"]["nbgrader"]["points"]
    document["cells"][4]["metadata"]["nbgrader"]["points"] = "many"
