"""What somebody at a terminal sees who stops a run, or reads only the beginning of a report."""

import os
import signal
import subprocess
import sys
import time

import pytest
from grader_course import submission, submit

from course_grader.cli import _Progress
from course_grader.grading import Step
from course_grader.results import Results

COMMAND = [sys.executable, "-m", "course_grader", "--course"]


def _as_at_a_terminal() -> None:
    """Undo that who started these tests in the background made them, and all that they start, deaf to Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("workers", ["0", pytest.param("2", marks=pytest.mark.exhaustive)])
def test_stopped_with_ctrl_c_it_says_one_sentence(course, workers):
    submit(course.root, "ada")
    submit(course.root, "bob")
    for student in ("loop-1", "loop-2", "loop-3", "loop-4"):
        submit(course.root, student, submission(double="import time\n\ndef double(x):\n    time.sleep(9)"))
    running = subprocess.Popen(
        [*COMMAND, str(course.root), "grade", "ps1", "--workers", workers],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_as_at_a_terminal,
    )
    results, deadline = Results(course, "ps1"), time.monotonic() + 200
    while not results.all(["ada", "bob"]) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130, said
    assert "Traceback" not in said
    assert "Async instruction" not in said
    assert said.strip().endswith("course-grader: stopped; the same command goes on where it was")
    assert "waiting for " in said


def test_a_report_whose_reader_has_seen_enough(course):
    for number in range(300):
        submit(course.root, f"student-{number:03}-{'x' * 200}", "{")
    command = " ".join([*COMMAND, str(course.root), "report", "ps1"])
    done = subprocess.run(["bash", "-c", f"{command} | head -1"], capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.startswith("student")
    assert (course.state("ps1") / "report.html").exists()


def test_the_bar_counts_what_is_graded_and_names_whom_it_waits_for(capsys):
    bar = _Progress()
    bar(Step(total=102, kept=100, waiting="kwei"))
    bar(Step(total=102, kept=100, graded=1, waiting="kwei"))
    bar.close()
    said = capsys.readouterr().err
    assert "1/2" in said
    assert "waiting for kwei" in said
    assert "102" not in said
    bar = _Progress()
    bar(Step(total=3, kept=3))
    bar.close()
    assert capsys.readouterr().err == ""
