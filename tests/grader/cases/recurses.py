"""Recurses without end in one task."""

ANSWERS = {
    "double": """\
def double(x):
    return double(x)
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "recursion"
