"""Turns a test cell into text."""

ANSWERS = {
    "double": """\
def double(x):
    return x
""",
}
SCORE = 8.0
STATUS = "graded"


def edit(document):
    cell = document["cells"][2]
    cell["cell_type"] = "markdown"
    del cell["outputs"], cell["execution_count"]
