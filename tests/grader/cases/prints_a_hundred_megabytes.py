"""Prints 100 MB on one line, and a million lines."""

FIRST_CELL = """\
print("x" * 10**8)
for _ in range(10**5):
    print("y" * 100)
"""
SCORE = 10.0
STATUS = "graded"
