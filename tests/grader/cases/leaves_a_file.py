"""Leaves files for the next submission, wherever it can write."""

FIRST_CELL = """\
import os
for folder in ("/tmp", "/dev/shm", "/var/tmp", os.path.expanduser("~"), "."):
    try:
        open(folder + "/left_behind", "w").write("the answer")
        os.makedirs(folder + "/a/b")
        os.chmod(folder + "/a/b", 0)
    except OSError:
        pass
"""
SCORE = 10.0
STATUS = "graded"
