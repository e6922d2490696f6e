"""Ends the process in one task."""

ANSWERS = {
    "double": """\
import os
def double(x):
    os._exit(3)
""",
}
SCORE = 8.0
STATUS = "partial"
SAYS = "ended itself \\(exit code 3\\)"
