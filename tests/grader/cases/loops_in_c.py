"""An endless loop that Python cannot interrupt, in one task."""

ANSWERS = {
    "mean": """\
def mean(values):
    return sum(range(10**13))
""",
}
SCORE = 7.0
STATUS = "partial"
SAYS = "processor time|no answer"
