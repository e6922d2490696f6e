"""Runs `course-check` on a program, for its tests."""

import pytest

from course_checks.cli import main

HEAD = """
import math
import sys
import torch
from torch import nn
from torch.nn import functional as F
"""


@pytest.fixture
def checked(tmp_path, capsys):
    """Check a program as a task: its function of the task's name, or its last class or function.

    Gives the exit code and all that was printed, in one line.
    """

    def check(task, program, *options):
        path = tmp_path / "code_of_mine.py"
        path.write_text(HEAD + program, "utf-8")
        last = [line for line in program.splitlines() if line.startswith(("class ", "def "))][-1:]
        name = last[0].split(" ")[1].partition("(")[0] if last else ""
        code = main([task, f"{path}:{name}" if name else str(path), *options])
        out, err = capsys.readouterr()
        return code, " ".join((out + err).split())

    return check
