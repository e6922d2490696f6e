"""An endless loop in a cell of the learner's own."""

FIRST_CELL = """\
while True:
    pass
"""
SCORE = 10.0
STATUS = "partial"
SAYS = "a cell of the learner's own"
