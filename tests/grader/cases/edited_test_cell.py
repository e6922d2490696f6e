"""Replaces the source of a test."""

ANSWERS = {
    "double": """\
def double(x):
    return x
""",
    "test-double": "pass",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "cell test-double was edited and is restored"
