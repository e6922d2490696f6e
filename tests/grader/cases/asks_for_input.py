"""Asks for input in one task."""

ANSWERS = {
    "double": """\
def double(x):
    return 2 * float(input())
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "EOF|lost sys.stdin|reading a line"
