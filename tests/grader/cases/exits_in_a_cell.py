"""Ends the process where a function is defined."""

ANSWERS = {
    "double": """\
import os
os._exit(3)
def double(x):
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "partial"
SAYS = "cell double: the process of the submission ended itself"
