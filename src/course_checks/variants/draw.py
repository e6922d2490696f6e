"""Draws a private variant of an exercise from a seed: the notebook with other bugs to find and other predictions.

All else stays: the graded names and their checks, the other tasks, the written answer. `course-grader variant` writes
the notebooks.
"""

import ast
import copy
import importlib
import importlib.util
import io
import itertools
import random
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType

from course_checks.variants import LINES, NUMBERS, Bug, Hunt, Question, Questions
from transformer_course.common.units import UNITS

_SOLUTION = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.MULTILINE)


_TASK = """{heading}

{text} The function below runs, and {word} of its numbered lines are wrong.

- Try it on inputs for which you know the answer.
- Then write `{name}`: the same function, with these lines fixed and the others as they are. {remark}
- Then list the numbers of the wrong lines in `wrong_lines`, for {half:g} of the points. The check below it looks at \
the form alone; whether you have found all of them, that of `{name}` says.
"""
_ANSWER = """# wrong_lines = [{blanks}]
### BEGIN SOLUTION
wrong_lines = {wrong}
{causes}
### END SOLUTION"""
_CHECK = """from course_checks import variants

variants.check_lines(wrong_lines, {number}, {of})"""
_GRADE = """# At grading, the numbers are compared.
### BEGIN HIDDEN TESTS
from course_checks import variants

variants.grade_lines(wrong_lines, {wrong})
### END HIDDEN TESTS"""
_PREDICTIONS = """# predictions = {{
{form}
# }}
### BEGIN SOLUTION
predictions = {{
{right}
}}
### END SOLUTION"""
_COMPARE = """from course_checks.{slug}.variant import questions

questions.about({keys}).{verb}(predictions)"""


class NoVariant(ValueError):
    """Why there is none, in one sentence."""


@dataclass
class Variant:
    """A notebook that was drawn.

    Args:
        notebook: as JSON, with solutions.
        points: those for answers that the public exercise does not have.
        notes: what is other in it, and what is not, in sentences.
    """

    notebook: dict
    points: float
    notes: list[str]


def variant(notebook: dict, assignment: str, seed: str) -> Variant:
    """Draw a variant of an exercise.

    Args:
        notebook: the exercise with solutions, as JSON; it stays as it is.
        assignment: its name, which is that of a unit.
        seed: the same text draws the same variant.

    Raises:
        NoVariant: if the assignment is no unit, or nothing can be drawn for it.
    """
    unit = next((unit for unit in UNITS if unit.name == assignment), None)
    if unit is None:
        raise NoVariant(f"{assignment}: expected an exercise of the course, as {UNITS[0].name}")
    drawn_from = pools(unit.slug)
    cells, notes = _Cells(copy.deepcopy(notebook)), []
    generator = random.Random(f"{assignment}, {seed}")
    if hunt := getattr(drawn_from, "hunt", None):
        notes.append(_put_bugs(cells, hunt, generator))
    else:
        notes.append("the bugs to find are those of the public exercise")
    if questions := getattr(drawn_from, "questions", None):
        notes.append(_put_questions(cells, questions, unit.slug, generator))
    else:
        notes.append("the predictions are those of the public exercise")
    if not (hunt or questions):
        raise NoVariant(f"{assignment}: nothing can be drawn for this exercise")
    drawn = [LINES] * bool(hunt) + ["predictions"] * bool(questions)
    points = sum(
        cells.points(name) for name in map(_id, cells.list) for each in drawn if name.startswith(f"test-{each}")
    )
    notes.append(f"{points:g} of 100 points are for answers that the public solution does not have")
    return Variant(cells.notebook, points, notes)


def pools(slug: str) -> ModuleType | None:
    """Fetch what can be drawn for a unit: a module with a `hunt`, `questions` or both; None where there is nothing."""
    name = f"course_checks.{slug}.variant"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


class _Cells:
    """The cells of a notebook, by their ids."""

    def __init__(self, notebook: dict):
        self.notebook, self.list = notebook, notebook["cells"]

    def index(self, identifier: str) -> int:
        """Find a cell."""
        return next(n for n, cell in enumerate(self.list) if _id(cell) == identifier)

    def text(self, identifier: str) -> str:
        """Read a cell."""
        return "".join(self.list[self.index(identifier)]["source"])

    def write(self, identifier: str, text: str) -> None:
        """Write a cell."""
        self.list[self.index(identifier)]["source"] = text.rstrip("\n").splitlines(keepends=True)

    def points(self, identifier: str, points: float | None = None) -> float:
        """Read the points of a cell, or set them."""
        graded = self.list[self.index(identifier)]["metadata"]["nbgrader"]
        if points is not None:
            graded["points"] = int(points) if float(points).is_integer() else points
        return graded["points"]

    def insert(self, after: str, identifier: str, source: str, points: float | None = None) -> None:
        """Put a solution cell, or with points a test cell, behind another cell."""
        marks = {"grade": points is not None, "grade_id": identifier, "locked": points is not None, "schema_version": 3,
                 "solution": points is None, "task": False}  # fmt: skip
        cell = {"cell_type": "code", "execution_count": None, "id": identifier, "metadata": {"nbgrader": marks},
                "outputs": [], "source": source.splitlines(keepends=True)}  # fmt: skip
        self.list.insert(self.index(after) + 1, cell)
        if points is not None:
            self.points(identifier, points)


def _id(cell: dict) -> str:
    return cell["metadata"].get("nbgrader", {}).get("grade_id") or cell.get("id", "")


def program(solution: str) -> list[str]:
    """Give the lines of the body of the solution of a function, without docstring, comments and empty lines."""
    source = _SOLUTION.sub("", solution)
    definition = ast.parse(source).body[0]
    body = definition.body[1:] if ast.get_docstring(definition) else definition.body
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    return [line.rstrip() for line in lines[body[0].lineno - 1 :] if line.strip()]


def place(bug: Bug, lines: Sequence[str]) -> int:
    """Find the line of a bug in a program.

    Raises:
        NoVariant: if there is no such line, or two.
    """
    found = [number for number, line in enumerate(lines) if line.strip() == bug.line]
    if len(found) != 1:
        raise NoVariant(f"expected the line `{bug.line}` once in the solution, found it {len(found)} times")
    return found[0]


def with_bugs(lines: Sequence[str], bugs: Sequence[Bug]) -> list[str]:
    """Put bugs into a program."""
    changed = list(lines)
    for bug in bugs:
        number = place(bug, lines)
        changed[number] = lines[number].replace(bug.line, bug.wrong)
    return changed


def draws(hunt: Hunt, lines: Sequence[str], number: int) -> Iterator[tuple[Bug, ...]]:
    """Yield all choices of so many bugs in different lines."""
    for chosen in itertools.combinations(sorted(hunt.bugs, key=lambda bug: place(bug, lines)), number):
        if len({bug.line for bug in chosen}) == number:
            yield chosen


def _put_bugs(cells: _Cells, hunt: Hunt, generator: random.Random) -> str:
    task = next(_id(cell) for cell in cells.list if _id(cell).startswith("task-fixed"))
    broken = next(_id(cell) for cell in cells.list if _id(cell).startswith("broken_"))
    name = task.removeprefix("task-")
    heading, tests = cells.text(task).splitlines()[0], (f"test-{name}", f"test-{name}-hidden")
    number = next(n for n, word in enumerate(NUMBERS) if f"the {word} bugs" in heading)
    lines, half = program(cells.text(name)), sum(map(cells.points, tests)) / 2
    possible = list(draws(hunt, lines, number))
    chosen = generator.choice(possible)
    wrong = [1 + place(bug, lines) for bug in chosen]
    cells.write(task, _TASK.format(heading=heading, text=hunt.text, word=NUMBERS[number], name=name, half=half,
                                   remark=hunt.remark))  # fmt: skip
    cells.write(broken, _numbered(cells.text(broken), with_bugs(lines, chosen)))
    for each in tests:
        cells.points(each, cells.points(each) / 2)
    causes = "\n".join(f"# {n}: {bug.why}" for n, bug in zip(wrong, chosen, strict=True))
    blanks = ", ".join(["..."] * number)
    cells.insert(tests[1], LINES, _ANSWER.format(blanks=blanks, wrong=wrong, causes=causes))
    cells.insert(LINES, f"test-{LINES}", _CHECK.format(number=number, of=len(lines)), 0)
    cells.insert(f"test-{LINES}", f"test-{LINES}-hidden", _GRADE.format(wrong=wrong), half)
    for cell in cells.list:
        text = "".join(cell["source"])
        for old, new in hunt.elsewhere:
            text = text.replace(old, new)
        cell["source"] = text.splitlines(keepends=True)
    return f"bugs in the lines {', '.join(map(str, wrong))} of `{broken}`, one of {len(possible)} choices"


def _numbered(source: str, lines: Sequence[str]) -> str:
    """Put other lines, with their numbers, into the body of the first function of a cell."""
    definition = next(each for each in ast.parse(source).body if isinstance(each, ast.FunctionDef))
    before, after = source.splitlines()[: definition.body[0].lineno - 1], source.splitlines()[definition.end_lineno :]
    return "\n".join([*before, *(f"{line}  # {n}" for n, line in enumerate(lines, start=1)), *after])


def _put_questions(cells: _Cells, questions: Questions, slug: str, generator: random.Random) -> str:
    number, pool = len(questions.public.questions), questions.pool
    chosen = next(
        some
        for some in iter(lambda: generator.sample(pool, number), None)
        if len(set(words := _words(questions, some))) > 1 and words != questions.public.answers
    )
    keys = [each.key for each in chosen]
    items = [f'- `"{each.key}"`: {each.text}{"?" if each is chosen[-1] else ","}' for each in chosen]
    heading = cells.text("task-predictions").splitlines()[0]
    cells.write("task-predictions", "\n".join([heading, "", questions.intro, "", *items, "", questions.outro]))
    form = "\n".join(f'#     "{key}": "...",' for key in keys)
    right = "\n".join(f'    "{key}": "{word}",' for key, word in zip(keys, _words(questions, chosen), strict=True))
    cells.write("predictions", _PREDICTIONS.format(form=form, right=right))
    quoted = ", ".join(f'"{key}"' for key in keys)
    for identifier, verb in (("test-predictions", "check"), ("test-predictions-measured", "grade")):
        first = "".join(line for line in cells.text(identifier).splitlines(keepends=True) if line.startswith("#"))
        cells.write(identifier, first + _COMPARE.format(slug=slug, keys=quoted, verb=verb))
    rows, experiment = "\n".join(each.shows for each in chosen), questions.experiment
    shown = experiment.replace("ROWS", rows) if isinstance(experiment, str) else experiment(
        cells.text(questions.cell), rows)  # fmt: skip
    cells.write(questions.cell, shown)
    return f"{number} of {len(pool)} other predictions"


def _words(questions: Questions, some: Sequence[Question]) -> tuple[str, ...]:
    return questions.about(*(each.key for each in some)).answers
