"""The value of the last line is huge."""

FIRST_CELL = """\
'z' * 10**8
"""
SCORE = 10.0
STATUS = "graded"
