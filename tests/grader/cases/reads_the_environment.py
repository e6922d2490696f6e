"""Looks for secrets in the environment."""

ANSWERS = {
    "double": """\
import os
def double(x):
    assert os.environ.get("GRADER_SECRET"), "no secret"
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "no secret"
