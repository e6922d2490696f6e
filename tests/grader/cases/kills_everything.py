"""Sends a signal to every process that it can reach."""

ANSWERS = {
    "double": """\
import os
def double(x):
    os.kill(-1, 9)
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "Operation not permitted"
