"""A helper module and a data file lie beside the notebook."""

ANSWERS = {
    "double": """\
from helper import twice
def double(x):
    assert open("data.csv").read() == "1,2"
    return twice(x)
""",
}
SCORE = 10.0
STATUS = "graded"


def arrange(folder):
    (folder / "helper.py").write_text("def twice(x):\n    return 2 * x\n")
    (folder / "data.csv").write_text("1,2")
