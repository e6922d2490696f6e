"""A class of 300 submissions over three units: graded, killed in the middle, resumed, exported.

python -m benchmarks.large_class [--students 100] [--keep FOLDER]

Each student hands in three notebooks that are right but for one known answer each, so that the points that everybody
must get are known beforehand. In each unit the whole run is killed with signal 9 after a third of the class, and the
same command is given again. The table says how many records the kill left, and how many grades are right in the end.
"""

import argparse
import csv
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch

from benchmarks.grading import make_course, run, scores
from benchmarks.measuring import RESULTS, environment

UNITS = ("04_scaled_dot_product_attention", "06_masking", "08_positional_encoding")


def finished(course: Path, unit: str) -> int:
    """Count the students whose result is on disk."""
    from course_grader.results import Results
    from course_grader.settings import Course
    from course_grader.submissions import find_students

    place = Course(course)
    return len(Results(place, unit).all(find_students(place, unit)))


def start_and_kill(course: Path, unit: str, enough: int) -> int:
    """Begin to grade, kill all processes when so many are done, and return how many records are left."""
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    run_now = subprocess.Popen(
        [sys.executable, "-m", "course_grader", "grade", unit],
        cwd=course,
        env={**os.environ, "PATH": path, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while run_now.poll() is None and finished(course, unit) < enough:
        time.sleep(0.5)
    os.killpg(run_now.pid, signal.SIGKILL)
    run_now.wait()
    return finished(course, unit)


def grade(course: Path, unit: str, students: int) -> dict[str, float]:
    """Hand in, grade, kill, grade again, and compare with what must come out."""
    losses = make_course(course, students, unit)
    run(["nbgrader", "generate_assignment", unit, "--force"], course)
    start = time.monotonic()
    left = start_and_kill(course, unit, students // 3)
    run(["course_grader", "grade", unit], course)
    clock = time.monotonic() - start
    found = scores(course, unit)
    best = max(found.values())
    return {
        "students": students,
        "records after the kill": left,
        "graded in the end": len(found),
        "points as they must be": sum(abs(best - found.get(who, -1.0) - lost) < 1e-6 for who, lost in losses.items()),
        "submissions a minute, both runs": 60 * students / clock,
    }


def exported(course: Path) -> int:
    """Export all units for Canvas and count the rows."""
    run(["course_grader", "export", *UNITS, "--format", "canvas", "-o", "grades.csv"], course)
    with open(course / "grades.csv", encoding="utf-8-sig", newline="") as file:
        return len(list(csv.DictReader(file)))


def main() -> None:
    """Grade the class and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=100, help="in each of the three units")
    parser.add_argument("--keep", type=Path, help="leave the course folder here, to look at it in the formgrader")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder) / "course"
        found = {unit: grade(course, unit, options.students) for unit in UNITS}
        rows = exported(course)
        if options.keep:
            shutil.copytree(course, options.keep, ignore_dangling_symlinks=True)
    about = environment(torch.device("cpu")) | {"clock": "wall", "load at the end": f"{os.getloadavg()[0]:.1f}"}
    lines = ["# A class of several hundred", "", " · ".join(f"{key} {value}" for key, value in about.items()), ""]
    lines += ["| what | " + " | ".join(f"unit {unit[:2]}" for unit in UNITS) + " |", "|---|" + "---|" * len(UNITS)]
    for key in found[UNITS[0]]:
        lines.append(f"| {key} | " + " | ".join(f"{found[unit][key]:.4g}" for unit in UNITS) + " |")
    lines += ["", f"The export holds {rows} rows."]
    text = "\n".join(lines) + "\n"
    (RESULTS / "large_class.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
