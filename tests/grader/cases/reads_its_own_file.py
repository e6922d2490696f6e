"""Looks for the hidden tests in the notebooks on disk."""

ANSWERS = {
    "double": """\
import glob
def double(x):
    (path,) = [each for start in (".", "..", "../..", "/tmp") for each in glob.glob(start + "/**/*.ipynb", recursive=True)]
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "not enough values"
