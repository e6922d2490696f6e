"""Waits for ever without using the processor."""

ANSWERS = {
    "double": """\
import time
def double(x):
    time.sleep(10**6)
""",
}
SCORE = 8.0
STATUS = "partial"
SAYS = "no answer within 3 s: it was stopped; it hardly used the processor"
