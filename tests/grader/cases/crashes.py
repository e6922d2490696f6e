"""Crashes the interpreter in one task."""

ANSWERS = {
    "mean": """\
import ctypes
def mean(values):
    return ctypes.string_at(0)
""",
}
SCORE = 7.0
STATUS = "partial"
SAYS = "segmentation fault"
