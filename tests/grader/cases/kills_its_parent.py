"""Kills the process that started it."""

ANSWERS = {
    "double": """\
import os
def double(x):
    os.kill(os.getppid(), 9)
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "Operation not permitted|No such process"
