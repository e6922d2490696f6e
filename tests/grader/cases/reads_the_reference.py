"""Reads the file of the library's own solution and runs it."""

ANSWERS = {
    "double": """\
import transformer_course
def double(x):
    text = open(transformer_course.__path__[0] + "/masking.py").read()
    assert "causal_mask" in text
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "Permission denied|masking.py"
