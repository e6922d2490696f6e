"""Looks for what an earlier submission left."""

ANSWERS = {
    "double": """\
import os, sys
def double(x):
    # The course itself may lie under /tmp: its environment can be read, and is no other submission's.
    course = {path.split("/")[2] for path in (sys.prefix, sys.base_prefix, *sys.path) if path.startswith("/tmp/")}
    found = []
    for root, folders, files in os.walk("/tmp"):
        folders[:] = [name for name in folders if root != "/tmp" or name not in course]
        found += [name for name in files + folders if name != "work"]
    found += os.listdir("/dev/shm")
    assert found, "nothing was left"
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "nothing was left"
