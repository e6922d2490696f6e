"""Submissions a minute: ``nbgrader autograde`` and ``course-grader`` on the same class of real exercise submissions.

python -m benchmarks.grading [--submissions 40] [--rounds 1] [--larger 160] [--merge 1000] [--memory 1000]

A class is made from the source of exercise 04 and the known wrong and right answers of its tests. The contenders take
turns, each in a copy of the course folder, so that a busy machine slows all of them alike. Wall time, start included.
A part whose number is 0 is left out, and keeps in the table what was measured before.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import torch

from benchmarks.measuring import RESULTS, arguments, environment

ROOT = Path(__file__).resolve().parents[1]
UNIT = "04_scaled_dot_product_attention"


class Answer(NamedTuple):
    """A wrong answer to one name of an exercise, and the points that a notebook loses with it."""

    name: str
    code: str
    lost: float


def answers(unit: str = UNIT) -> list[Answer]:
    """Return wrong answers of the checks, after the solution itself."""
    program = (
        "import json; from answers import source_of; from exercise_harness import Exercise; "
        "lost = lambda result: sum(each.points for each in result.outcomes) - result.score; "
        f"exercise = Exercise({unit!r}); "
        "wrong = [(n, source_of(n, each)) for n, task in exercise.tasks.items() for each in task.wrong[::4]]; "
        "print(json.dumps([(n, code, lost(exercise.grade_notebook(n, code))) for n, code in wrong]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT / "tools", check=True, capture_output=True, text=True
    )
    return [Answer("", "", 0.0), *(Answer(*each) for each in json.loads(done.stdout))]


def make_course(folder: Path, number: int, unit: str = UNIT) -> dict[str, float]:
    """Write a course folder with a class, or add a unit to one; return the points that each student must lose."""
    shutil.copytree(ROOT / "solutions" / unit, folder / "solutions" / unit)
    shutil.copytree(ROOT / "exercises" / unit, folder / "exercises" / unit)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    solved = {cell["id"]: cell for cell in json.loads(_notebook(folder, "solutions", unit).read_text())["cells"]}
    released = json.loads(_notebook(folder, "exercises", unit).read_text())
    choices, losses = answers(unit), {}
    for index in range(number):
        name, code, lost = choices[index * 7 % len(choices)]
        losses[f"student-{index:04}"] = lost
        document = json.loads(json.dumps(released))
        for cell in document["cells"]:
            is_solution = cell["metadata"].get("nbgrader", {}).get("solution") and cell["cell_type"] == "code"
            if is_solution:
                text = "".join(solved[cell["id"]]["source"])
                text = code if cell["id"] == name else re.sub(r"(?m)^.*### (BEGIN|END) SOLUTION.*\n?", "", text)
                cell["source"] = text
        target = folder / "submitted" / f"student-{index:04}" / unit
        target.mkdir(parents=True)
        (target / f"{unit}.ipynb").write_text(json.dumps(document))
    return losses


def _notebook(folder: Path, step: str, unit: str) -> Path:
    return folder / step / unit / f"{unit}.ipynb"


def run(command: list[str], course: Path) -> float:
    """Run a command in a course folder and return its wall time in seconds."""
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    environment = {**os.environ, "PATH": path, "OMP_NUM_THREADS": "1"}
    start = time.monotonic()
    subprocess.run([sys.executable, "-m", *command], cwd=course, env=environment, check=False, capture_output=True)
    return time.monotonic() - start


def scores(course: Path, unit: str = UNIT) -> dict[str, float]:
    """Return the score of each student in the gradebook of a course folder."""
    from course_grader.settings import Course

    with Course(course).gradebook() as gradebook:
        return {each.student_id: each.score for each in gradebook.assignment_submissions(unit)}


def measure_speed(folder: Path, number: int, rounds: int) -> dict:
    """Let the contenders take turns on the same class."""
    master = folder / "master"
    make_course(master, number)
    run(["nbgrader", "generate_assignment", UNIT, "--force"], master)
    contenders = {
        "nbgrader autograde": ["nbgrader", "autograde", UNIT],
        "course-grader, 1 worker": ["course_grader", "grade", UNIT, "--workers", "1"],
        "course-grader, 2 workers": ["course_grader", "grade", UNIT, "--workers", "2"],
    }
    times: dict[str, list[float]] = {name: [] for name in contenders}
    found: dict[str, dict] = {}
    for turn in range(rounds):
        for name, command in contenders.items() if turn % 2 == 0 else reversed(contenders.items()):
            course = folder / "turn"
            shutil.copytree(master, course)
            times[name].append(run(command, course))
            found[name] = scores(course)
            shutil.rmtree(course, ignore_errors=True)
    first, second, third = (statistics.median(values) for values in times.values())
    vanilla, ours = found["nbgrader autograde"], found["course-grader, 2 workers"]
    return {
        "submissions": number,
        **{f"{name}: submissions a minute": 60 * number / statistics.median(each) for name, each in times.items()},
        "course-grader with 2 workers over nbgrader": first / third,
        "2 workers over 1": second / third,
        "equal scores": sum(vanilla.get(student) == score for student, score in ours.items()),
    }


def measure_workers(folder: Path, number: int) -> dict:
    """Grade a larger class with one worker and with two: the start, which both pay, is a smaller part of it."""
    master = folder / "larger"
    make_course(master, number)
    run(["nbgrader", "generate_assignment", UNIT, "--force"], master)
    times = []
    for workers in ("1", "2"):
        course = folder / "turn"
        shutil.copytree(master, course)
        times.append(run(["course_grader", "grade", UNIT, "--workers", workers], course))
        shutil.rmtree(course, ignore_errors=True)
    return {"larger class": number, "larger class: 2 workers over 1": times[0] / times[1]}


def measure_merge(folder: Path, number: int) -> dict:
    """Merge records that were not graded here into a fresh gradebook."""
    from course_grader.assignment import read_assignment
    from course_grader.engine import grade_here
    from course_grader.gradebook import Merger
    from course_grader.results import Results, record_of
    from course_grader.settings import Course
    from course_grader.submissions import find_students, read_submission

    make_course(folder / "merge", number)
    course = Course(folder / "merge")
    assignment, results = read_assignment(course, UNIT), Results(course, UNIT)
    students = find_students(course, UNIT)
    ((_, result),) = grade_here(assignment, True, iter([read_submission(course, students[0], UNIT)]))
    for student in students:
        results.save(record_of(student, "f", result, None, True))
    start = time.monotonic()
    merger = Merger(course, assignment, results)
    for position in range(0, number, 20):
        merger.merge(results.all(students[position : position + 20]))
    merger.close()
    return {"merged": number, "merging takes s": time.monotonic() - start}


def measure_memory(folder: Path, number: int) -> dict:
    """Grade one submission again and again in one warm worker, and watch the memory of its processes."""
    from course_grader.assignment import read_assignment
    from course_grader.judge.process import JudgeProcess
    from course_grader.settings import Course
    from course_grader.submissions import find_students, read_submission

    make_course(folder / "memory", 4)
    course = Course(folder / "memory")
    submissions = [read_submission(course, student, UNIT) for student in find_students(course, UNIT)]
    judge, seen, times = JudgeProcess(read_assignment(course, UNIT)), [], []
    for turn in range(number):
        times.append(judge.grade(submissions[turn % len(submissions)]).seconds)
        seen.append(_memory_mib(judge._process.pid))
    judge.close()
    early = statistics.median(seen[10:20])
    return {
        "graded in one worker": number,
        "memory after 20, MiB": early,
        "memory at the end, MiB": statistics.median(seen[-10:]),
        "median s of one submission": statistics.median(times),
    }


def _memory_mib(process: int) -> float:
    """Return the resident memory of a process and all that it started."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20 + sum(_memory_mib(int(each)) for each in children)


def main() -> None:
    """Measure and write the results."""
    parser = arguments(__doc__)
    parser.set_defaults(rounds=1)
    parser.add_argument("--submissions", type=int, default=40)
    parser.add_argument("--larger", type=int, default=160)
    parser.add_argument("--merge", type=int, default=1000)
    parser.add_argument("--memory", type=int, default=1000)
    options = parser.parse_args()
    measured = {
        "speed": (options.submissions, lambda folder, number: measure_speed(folder, number, options.rounds)),
        "workers": (options.larger, measure_workers),
        "merging": (options.merge, measure_merge),
        "memory": (options.memory, measure_memory),
    }
    for part, (number, measure) in measured.items():
        if number:
            with tempfile.TemporaryDirectory() as folder:
                write(part, measure(Path(folder), number))


def write(part: str, found: dict[str, float]) -> None:
    """Put what was found into the result file, beside the other parts, and write all of them as a table."""
    about = environment(torch.device("cpu")) | {
        "clock": "wall",
        "cores": str(len(os.sched_getaffinity(0))),
        "load at the end": f"{os.getloadavg()[0]:.1f}",
    }
    path = RESULTS / "grading.json"
    parts = json.loads(path.read_text()) if path.exists() else {}
    parts[part] = {"measured_on": about, "found": found}
    path.write_text(json.dumps(parts, indent=1) + "\n")
    measured_on = [each["measured_on"] for each in parts.values()]
    same = [f"{key} {value}" for key, value in about.items() if all(each.get(key) == value for each in measured_on)]
    lines = ["# Grading a class", "", " · ".join(same), "", "| what | value |", "|---|---|"]
    for each in parts.values():
        lines += [
            f"| {key} | {value:.3g} |" if value < 1000 else f"| {key} | {value:,.0f} |"
            for key, value in each["found"].items()
        ]
    loads = [f"{name} {each['measured_on']['load at the end']}" for name, each in parts.items()]
    lines += ["", f"Load of the machine at the end of each part: {', '.join(loads)}."]
    text = "\n".join(lines) + "\n"
    (RESULTS / "grading.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
