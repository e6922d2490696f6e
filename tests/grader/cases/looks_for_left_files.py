"""Looks for what an earlier submission left."""

ANSWERS = {
    "double": """\
import os
def double(x):
    found = [name for root, folders, files in os.walk("/tmp") for name in files + folders if name != "work"]
    found += os.listdir("/dev/shm")
    assert found, "nothing was left"
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "nothing was left"
