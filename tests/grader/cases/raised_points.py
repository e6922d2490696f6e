"""Raises the points of a test in the metadata."""

ANSWERS = {
    "double": """\
def double(x):
    return x
""",
}
SCORE = 8.0
STATUS = "graded"


def edit(document):
    document["cells"][2]["metadata"]["nbgrader"]["points"] = 1000
