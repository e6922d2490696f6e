"""A student id that a spreadsheet takes for a formula, with a blank and an accent."""

STUDENT = "=cmd élan"
SCORE = 10.0
STATUS = "graded"
