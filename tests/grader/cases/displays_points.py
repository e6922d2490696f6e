"""Shows the points as the value of the test cell, from inside the function."""

ANSWERS = {
    "double": """\
def double(x):
    import sys
    sys.displayhook(2.0)
    get_ipython().displayhook(2.0)
    return x
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "replaces the display"
