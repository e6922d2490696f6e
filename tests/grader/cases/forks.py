"""Forks, to go on after the grading."""

ANSWERS = {
    "double": """\
import os
def double(x):
    os.fork()
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "Operation not permitted"
