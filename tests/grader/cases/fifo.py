"""A named pipe lies in the folder; who opens it waits for ever."""

import os

SCORE = 10.0
STATUS = "graded"
SAYS = "'pipe' is a link or not a regular file"


def arrange(folder):
    os.mkfifo(folder / "pipe")
