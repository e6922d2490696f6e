"""A student id that is a pattern."""

STUDENT = "[x]*"
SCORE = 10.0
STATUS = "graded"
