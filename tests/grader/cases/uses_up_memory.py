"""Fills the memory in one task."""

ANSWERS = {
    "double": """\
kept = []
def double(x):
    while True:
        kept.append(bytearray(2**27))
""",
}
SCORE = 8.0
STATUS = "partial"
SAYS = "memory|processor time|no answer"
