"""Keeps a large value in a global name and uses it in a later task."""

ANSWERS = {
    "mean": """\
table = {"count": 0}
def mean(values):
    table["count"] += 1
    if len(values) == 0:
        raise ValueError("values: got none")
    return sum(values) / len(values)
""",
}
SCORE = 10.0
STATUS = "graded"
