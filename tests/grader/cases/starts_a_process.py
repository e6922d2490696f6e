"""Starts a process that would outlive the grading."""

ANSWERS = {
    "double": """\
import subprocess
def double(x):
    subprocess.Popen(['sleep', '300'])
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "Operation not permitted"
