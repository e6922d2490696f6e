"""A breakpoint was left in one task."""

ANSWERS = {
    "double": """\
def double(x):
    breakpoint()
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "graded"
