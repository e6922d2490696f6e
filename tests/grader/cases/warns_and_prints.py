"""Right, but warns, prints and writes to the error stream."""

ANSWERS = {
    "double": """\
import sys, warnings
def double(x):
    warnings.warn("careful")
    print("working", file=sys.stderr)
    print("x", x)
    return 2 * x
""",
}
SCORE = 10.0
STATUS = "graded"
