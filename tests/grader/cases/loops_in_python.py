"""An endless loop that ignores signals and catches everything."""

ANSWERS = {
    "mean": """\
import signal
def mean(values):
    for number in (signal.SIGINT, signal.SIGXCPU, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
""",
}
SCORE = 7.0
STATUS = "partial"
SAYS = "processor time|no answer"
