"""Marks a test cell as a solution."""

ANSWERS = {
    "double": """\
def double(x):
    return x
""",
}
SCORE = 8.0
STATUS = "graded"


def edit(document):
    document["cells"][2]["metadata"]["nbgrader"] |= {"solution": True, "locked": False}
    document["cells"][2]["source"] = "pass"
