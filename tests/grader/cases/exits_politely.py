"""Calls exit inside the test."""

ANSWERS = {
    "double": """\
def double(x):
    raise SystemExit(0)
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "asked the process to exit"
