"""One cell is not valid Python: the others count."""

ANSWERS = {
    "double": """\
def double(x)
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "the cell above could not be run: SyntaxError"
