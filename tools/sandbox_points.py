"""Whether a class is graded as a learner is: wrong answers in the sandbox of course-grader and in this process.

    python tools/sandbox_points.py          all units, minutes each; exit with 1 if an answer gets other points there
    python tools/sandbox_points.py 05 06    only these units

A wrong answer of the checks is written out as a cell with everything that it uses. Only the tests of its own name run,
and the cells that are not graded are left out.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from answers import source_of
from exercise_harness import MARKERS, Exercise
from notebooks import ROOT, find_unit, units
from tqdm import tqdm

from course_grader.assignment import read_assignment
from course_grader.judge.process import JudgeProcess
from course_grader.settings import Course
from course_grader.submissions import read_submission


def points_in_the_sandbox(exercise: Exercise, name: str, answers: Sequence[str], course: Path) -> Iterator[float]:
    """Grade answers to one name as submissions of a class.

    Args:
        exercise: whose tests run.
        name: what the answers define.
        answers: source code.
        course: an empty folder, which becomes a course folder.

    Yields:
        The points of each answer.
    """
    shutil.copy(ROOT / "nbgrader_config.py", course)
    source, released = (_reduced(step / exercise.unit, name, course) for step in (Path("solutions"), Path("exercises")))
    solved = {cell["id"]: cell["source"] for cell in source["cells"]}
    for number, answer in enumerate(answers):
        for cell in released["cells"]:
            if cell["metadata"]["nbgrader"]["solution"]:
                cell["source"] = answer if cell["id"] == name else MARKERS.sub("", "".join(solved[cell["id"]]))
        folder = course / "submitted" / str(number) / exercise.unit
        folder.mkdir(parents=True)
        (folder / f"{exercise.unit}.ipynb").write_text(json.dumps(released), encoding="utf-8")
    place = Course(course)
    judge = JudgeProcess(read_assignment(place, exercise.unit))
    try:
        for number in range(len(answers)):
            result = judge.grade(read_submission(place, str(number), exercise.unit))
            scores = result.notebooks[exercise.unit].scores
            yield sum(scores[cell.id].score for cell in exercise.tests[name])
    finally:
        judge.close()


def _reduced(place: Path, name: str, course: Path) -> dict:
    """Copy a notebook with what the tests of one name need, and return its content."""
    shutil.copytree(ROOT / place, course / place)
    path = course / place / f"{place.name}.ipynb"
    document = json.loads(path.read_text(encoding="utf-8"))
    tests = {f"test-{name}{part}" for part in ("", "-hidden", "-limits", "-measured")}
    document["cells"] = [
        cell
        for cell in document["cells"]
        if cell["cell_type"] == "code"
        and "nbgrader" in cell["metadata"]
        and (cell["id"] in tests or not cell["metadata"]["nbgrader"]["grade"])
    ]
    path.write_text(json.dumps(document), encoding="utf-8")
    return document


def compare(exercise: Exercise) -> Iterator[tuple[str, float, float]]:
    """Yield the wrong answers of a unit with their points in this process and in the sandbox."""
    for name, task in exercise.tasks.items():
        sources = [exercise.solution(name), *(source_of(name, wrong) for wrong in task.wrong)]
        names = ["solution", *(wrong.name for wrong in task.wrong)]
        with tempfile.TemporaryDirectory() as folder:
            points = points_in_the_sandbox(exercise, name, sources, Path(folder))
            for each, source, there in zip(names, sources, points, strict=True):
                yield f"{name}: {each}", exercise.grade(name, source).score, there


def main() -> int:
    """Compare, and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("units", nargs="*", help="numbers of units; all, if there are none")
    options = parser.parse_args()
    torch.set_num_threads(1)
    wrong = 0
    for unit in map(find_unit, options.units) if options.units else units():
        graded = 0
        for answer, here, there in tqdm(compare(Exercise(unit)), desc=unit, unit="answers", leave=False):
            graded += 1
            if abs(there - here) > 1e-6:
                wrong += 1
                tqdm.write(f"{unit}, {answer}: {there:g} in the sandbox, {here:g} here")
        tqdm.write(f"{unit}: {graded} answers graded")
    print("all points are equal" if not wrong else f"{wrong} answers get other points")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
