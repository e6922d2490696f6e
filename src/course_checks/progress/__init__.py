"""How far a learner has come in a notebook: which tasks pass, the points so far, and the next task.

A task that still says ``raise NotImplementedError`` is not run. `course_checks.progress.command` prints it.
"""

import json
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from course_checks.progress.trial import needed_texts
from transformer_course.common.own_notebooks import is_unsolved, plain_python

SECONDS, STARTING = 40, 120  # that one check may take, and the start with its imports
DONE, NOT_RIGHT, TO_DO, WRITTEN, SLOW, FREE = "done", "not right", "to do", "written", "too slow", "no check"
_ROW = re.compile(r"^\| (\d+) · ([^|]*)\| (\d*)[^|]*\| ([\d.]+) \|", re.MULTILINE)
_HEADING = re.compile(r"^## (\d+) · ", re.MULTILINE)
_OPEN_ANSWER = "*Your answer here.*"


class CannotRead(Exception):
    """What is wrong with a notebook, in one sentence."""


@dataclass
class Row:
    """A task of a notebook.

    Attributes:
        number: in the notebook.
        title: as in its table.
        minutes: what the table says.
        points: what the task is worth.
        tests: points of its visible checks, by grade_id.
        hidden: points of the hidden tests, tried when the unit is graded.
        by_hand: points that a person gives.
        state: one of the words at the top of this module.
        earned: points of the visible checks that pass.
        said: what the first check that fails says, in one line.
    """

    number: int
    title: str
    minutes: str
    points: float
    tests: dict[str, float] = field(default_factory=dict)
    hidden: float = 0.0
    by_hand: float = 0.0
    state: str = TO_DO
    earned: float = 0.0
    said: str = ""

    @property
    def counts(self) -> bool:
        """Say whether there is something to do in it that is worth points."""
        return self.points > 0 and bool(self.tests or self.by_hand)


def read(path: Path) -> list[Row]:
    """Read the tasks of a notebook.

    Raises:
        CannotRead: if there is no notebook, or it is not one of the course.
    """
    if not path.is_file():
        raise CannotRead(f"there is no notebook {path}")
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources = ["".join(cell["source"]) for cell in cells]
        graded = [cell["metadata"].get("nbgrader") or {} for cell in cells]
    except (ValueError, KeyError, TypeError, AttributeError, UnicodeDecodeError) as error:
        raise CannotRead(f"{path} cannot be read as a notebook ({type(error).__name__}: {error})") from None
    table = next((found for source in sources if (found := _ROW.findall(source))), [])
    rows = {int(number): Row(int(number), title.strip(), minutes, float(points))
            for number, title, minutes, points in table}  # fmt: skip
    if not rows or not any(each.get("grade") for each in graded):
        raise CannotRead(f"{path} has lost its table of tasks or its graded cells; take a new copy of the exercise")
    section, place_of, open_tasks = None, {}, set()
    for source, cell, grade in zip(sources, cells, graded, strict=True):
        found = _HEADING.search(source) if cell["cell_type"] == "markdown" else None
        section = rows.get(int(found[1]), section) if found else section
        name = grade.get("grade_id", "")
        if section is None or not name:
            continue
        if grade.get("solution") and not grade.get("grade"):
            place_of[name] = section
            if _is_open(source):
                open_tasks.add(name)
        elif grade.get("grade") and grade.get("solution"):
            section.by_hand += grade["points"]
            answer = source.split("*This answer is read by a person.*")[-1].replace(_OPEN_ANSWER, "").strip()
            section.state = WRITTEN if answer else TO_DO
        elif grade.get("grade"):
            _add_test(name, grade["points"], place_of, section, open_tasks)
    for row in rows.values():
        if not row.tests and not row.by_hand:
            row.state = FREE
    return list(rows.values())


def _is_open(source: str) -> bool:
    try:
        return is_unsolved(plain_python(source))
    except SyntaxError:
        return False  # the check says it


def _add_test(name: str, points: float, place_of: dict[str, Row], section: Row, open_tasks: set[str]) -> None:
    task = name.removeprefix("test-")
    while task not in place_of and "-" in task:
        task = task.rpartition("-")[0]
    row = place_of.get(task, section)
    if name.endswith("-hidden"):
        row.hidden += points
    else:
        row.tests[name] = points
        if task in open_tasks:
            row.said = "to do"


def measure(path: Path, seconds: float = SECONDS, known: dict[str, dict] | None = None) -> list[Row]:
    """Read a notebook and run the visible checks of the tasks that somebody has worked on.

    Args:
        path: of the notebook.
        seconds: that one check may take.
        known: what a check has found before, by the text of all cells that it needs; what is new is added.

    Raises:
        CannotRead: as `read`; or if the checks cannot be started.
    """
    rows = read(path)
    names = {name: row for row in rows for name in row.tests}
    skipped = {name for name, row in names.items() if row.said == "to do"}
    for row in rows:
        row.said = ""
    texts = needed_texts(path) if known is not None else {}
    results = {name: known[text] for name, text in texts.items() if text in known and name not in skipped}
    while len(skipped) + len(results) < len(names):
        late = _run(path, skipped | set(results), results, seconds)
        if late is None:
            break
        results[late] = {"late": f"did not end within {seconds:g} seconds"}
    if known is not None:
        known |= {texts[name]: result for name, result in results.items() if "late" not in result}
    for row in rows:
        _judge(row, results)
    return rows


def _run(path: Path, left_out: set[str], results: dict[str, dict], seconds: float) -> str | None:
    """Run the checks in a process of its own; return the one for which it was ended, or None."""
    child = "import sys; from course_checks.progress import trial; trial.main(sys.argv[1:])"
    command = [sys.executable, "-c", child, str(path), *sorted(left_out)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    lines: queue.Queue[str] = queue.Queue()
    errors: list[str] = []
    readers = [
        threading.Thread(target=_read_lines, args=(child.stdout, lines.put), daemon=True),
        threading.Thread(target=_read_lines, args=(child.stderr, errors.append), daemon=True),
    ]
    for reader in readers:
        reader.start()
    current = None
    try:
        while True:
            line = lines.get(timeout=STARTING if current is None else seconds)
            if not line:
                break
            said = json.loads(line)
            if "end" in said:
                return None
            if "test" in said:
                results[said["test"]] = said["problem"]
            current = said.get("begin", current)
    except queue.Empty:
        if current is None:
            raise CannotRead(f"the checks of {path} did not start within {STARTING} seconds") from None
        return current
    finally:
        child.kill()
        child.wait()
        for reader in readers:
            reader.join(timeout=5)
    if current is None:
        reason = ("".join(errors).strip() or "no reason given").splitlines()[-1]
        raise CannotRead(f"the checks of {path} could not be run: {reason}")
    results[current] = {"error": "the process that ran it ended: a crash, or too little memory"}
    return _run(path, left_out | set(results), results, seconds)


def _read_lines(stream: TextIO, put: Callable[[str], None]) -> None:
    """Hand on each line as it comes, and an empty text at the end."""
    with stream:
        for line in stream:
            put(line)
    put("")


def _judge(row: Row, results: dict[str, dict]) -> None:
    tried = {name: results[name] for name in row.tests if name in results}
    row.earned = sum(row.tests[name] for name, problem in tried.items() if not problem)
    problem = next((each for each in tried.values() if each), None)
    if problem:
        row.state = SLOW if "late" in problem else NOT_RIGHT
        row.said = problem.get("cause") or problem.get("late") or problem.get("error", "")
    elif row.tests and len(tried) == len(row.tests):
        row.state = DONE


def next_task(rows: Sequence[Row]) -> Row | None:
    """Find the first task with points that is not done."""
    return next((row for row in rows if row.counts and row.state not in (DONE, WRITTEN)), None)
