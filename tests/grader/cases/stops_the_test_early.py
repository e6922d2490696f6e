"""Leaves the test with an exception that is not an error."""

ANSWERS = {
    "double": """\
def double(x):
    raise KeyboardInterrupt
""",
}
SCORE = 8.0
STATUS = "graded"
