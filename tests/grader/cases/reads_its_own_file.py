"""Looks for the hidden tests in the notebooks on disk."""

ANSWERS = {
    "double": """\
import glob
def double(x):
    found = [glob.glob(start + "/**/*.ipynb", recursive=True) for start in (".", "..", "/tmp")]
    (path,) = [each for some in found for each in some]
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "not enough values"
