"""What readers and learners run needs nothing that Windows lacks, and the grader says what it needs.

Windows is imitated (`pretend_windows.py`): this shows that modules import and checks run, not that everything works.
"""

import os
import subprocess
import sys

import pytest
from notebooks import ROOT

IMPORT_ALL = """
import pretend_windows
import importlib, pathlib, pkgutil, runpy
import transformer_course, course_checks
for package in (transformer_course, course_checks):
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
            print(found.name)
for path in pathlib.Path("book/_ext").glob("*.py"):
    runpy.run_path(str(path))
    print(path.stem)
"""
EXERCISE = """
import pretend_windows
from exercise_harness import Exercise
exercise = Exercise("04_scaled_dot_product_attention")
for name in exercise.names:
    assert exercise.grade(name, exercise.solution(name)).full, name
print(exercise.grade("softmax", exercise.stub("softmax")).message)
"""


def as_on_windows(program: str, *words: str) -> subprocess.CompletedProcess:
    """Run a program that imports `pretend_windows`."""
    paths = [str(ROOT / name) for name in ("src", "book", "tests", "tools")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, *([program] if program == "-m" else ["-c", program]), *words]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False)


def test_the_imitation_misses_what_windows_misses():
    done = as_on_windows("import pretend_windows, course_grader.results")
    assert done.returncode == 1
    assert "No module named 'fcntl' on Windows" in done.stderr


def test_library_checks_and_the_extensions_of_the_book_can_be_imported():
    done = as_on_windows(IMPORT_ALL)
    assert done.returncode == 0, done.stderr
    assert {"transformer_course.training.config", "course_checks.masking", "course_map"} <= set(done.stdout.split())


def test_the_checks_of_an_exercise_run():
    done = as_on_windows(EXERCISE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("CheckFailed: softmax: "), "a stub fails, with a message"


@pytest.mark.parametrize(
    "command", [["grade", "04"], ["doctor"], ["report", "04"], ["export", "04", "--format", "canvas", "-o", "x.csv"]]
)
def test_the_grader_says_what_it_needs(command):
    program = "import pretend_windows, sys; from course_grader.cli import main; sys.exit(main(sys.argv[1:]))"
    done = as_on_windows(program, *command)
    assert done.returncode == 1
    assert done.stderr.startswith("course-grader: this needs Linux")
    assert "Traceback" not in done.stderr


@pytest.mark.exhaustive
def test_every_test_that_is_not_left_out_can_be_collected():
    done = as_on_windows("-m", "pytest", "-p", "pretend_windows", "--collect-only", "-q")
    assert done.returncode == 0, done.stdout[-3000:]
    assert "tests/grader" not in done.stdout
    assert "tests/test_masking.py::" in done.stdout
