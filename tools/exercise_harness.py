"""Grades answers to an exercise in this process: no kernel, no nbgrader, a few milliseconds an answer.

An exercise is what `solutions/` holds; an answer to one of its names is source code, or the function or class itself:
a wrong answer of `course_checks`, or a right one of ``tests/right_answers/``.
"""

import contextlib
import importlib
import io
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from notebooks import exercise_path, read, role_of, source_path, units

from course_checks import watching
from course_checks.task import Task

MARKERS = re.compile(r"^.*(BEGIN|END) (SOLUTION|HIDDEN TESTS).*\n?", re.MULTILINE)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Swallow what is printed and warned, as a notebook does, whatever the caller makes of warnings."""
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(record=True),
    ):
        warnings.simplefilter("default")
        yield


@contextlib.contextmanager
def answers_of_ours(allowed: bool = True) -> Iterator[None]:
    """Let the wrong answers of `course_checks` be graded as if a learner had written them."""
    before = watching.holds_answers
    if allowed:
        watching.holds_answers = lambda *_: False
    try:
        yield
    finally:
        watching.holds_answers = before


@dataclass
class Outcome:
    """What one test cell said about an answer."""

    cell: str
    points: float
    message: str  # empty: passed

    @property
    def earned(self) -> float:
        """Count the cell's points, all or none."""
        return 0.0 if self.message else self.points


@dataclass
class Result:
    """What all test cells of a name said about an answer."""

    outcomes: list[Outcome]

    @property
    def score(self) -> float:
        """Add up what was earned."""
        return sum(outcome.earned for outcome in self.outcomes)

    @property
    def full(self) -> bool:
        """Say whether every test cell passed; a cell without points counts too."""
        return not any(outcome.message for outcome in self.outcomes)

    @property
    def message(self) -> str:
        """Give the first message, which is the one that a learner reads first."""
        return next((outcome.message for outcome in self.outcomes if outcome.message), "")

    @property
    def messages(self) -> str:
        """Give all messages."""
        return "\n".join(outcome.message for outcome in self.outcomes)


@dataclass
class Exercise:
    """The exercise of one unit, such as ``04_scaled_dot_product_attention``."""

    unit: str
    _reference: dict = field(default_factory=dict, repr=False)

    @cached_property
    def notebook(self):
        """Read the source, with solutions and hidden tests."""
        return read(source_path(self.unit))

    @cached_property
    def released(self):
        """Read what a learner gets."""
        return read(exercise_path(self.unit))

    @property
    def slug(self) -> str:
        """Drop the number."""
        return self.unit.split("_", 1)[1]

    @cached_property
    def tests(self) -> dict[str, list]:
        """Group the test cells by the name that they grade, in order."""
        grouped: dict[str, list] = {}
        for cell in self.notebook.cells:
            if role_of(cell) == "test":
                name = re.sub(r"-(hidden|limits|measured)$", "", cell.id.removeprefix("test-"))
                grouped.setdefault(name, []).append(cell)
        return grouped

    @property
    def names(self) -> list[str]:
        """List what is graded by running it."""
        return list(self.tests)

    def solution(self, name: str) -> str:
        """Give the reference solution of a name, without the markers."""
        return MARKERS.sub("", next(cell.source for cell in self.notebook.cells if cell.id == name))

    def stub(self, name: str) -> str:
        """Give what a learner finds in the cell."""
        return next(cell.source for cell in self.released.cells if cell.id == name)

    def namespace(self) -> dict:
        """Make what a learner's cells would have defined with reference solutions all through."""
        if not self._reference:
            names: dict = {"__name__": "__main__"}
            for cell in self.notebook.cells:
                if cell.cell_type == "code" and role_of(cell) in ("locked", "solution"):
                    exec(compile(MARKERS.sub("", cell.source), f"<{cell.id}>", "exec"), names)
            self._reference.update(names)
        return dict(self._reference)

    @cached_property
    def tasks(self) -> dict[str, Task]:
        """Fetch the tasks of the unit's checks by name."""
        checks = importlib.import_module(f"course_checks.{self.slug}")
        return {value.name: value for value in vars(checks).values() if isinstance(value, Task)}

    def grade(self, name: str, answer: str | Callable) -> Result:
        """Run the test cells of one name on an answer, source code or the object itself.

        Source code that cannot be run leaves its name undefined. An object may be one of the wrong answers of
        `course_checks`, which a learner's code cannot call.
        """
        return Result(list(self._outcomes(name, answer)))

    def grade_until_loss(self, name: str, answer: str | Callable) -> Result:
        """Grade as `grade` does, and stop at the first test cell that costs points."""
        outcomes = []
        for outcome in self._outcomes(name, answer):
            outcomes.append(outcome)
            if outcome.message and outcome.points:
                break
        return Result(outcomes)

    def passes(self, name: str, answer: str | Callable) -> bool:
        """Say whether an answer gets full marks, and stop at the first test cell that it fails."""
        return not any(outcome.message for outcome in self._outcomes(name, answer))

    def grade_notebook(self, name: str, answer: str) -> Result:
        """Run all test cells of a notebook that is right but for one answer, which other cells may use."""
        names: dict = {"__name__": "__main__"}
        with _quiet():
            for cell in self.notebook.cells:
                if cell.cell_type == "code" and role_of(cell) in ("locked", "solution"):
                    code = answer if cell.id == name else MARKERS.sub("", cell.source)
                    with contextlib.suppress(Exception):
                        exec(compile(code, f"<{cell.id}>", "exec"), names)
            return Result([self._run(cell, names) for cells in self.tests.values() for cell in cells])

    def _outcomes(self, name: str, answer: str | Callable) -> Iterator[Outcome]:
        names = self.namespace()
        names.pop(name, None)
        if not isinstance(answer, str):
            names[name] = answer
        else:
            with _quiet(), contextlib.suppress(Exception):
                exec(compile(answer, "<answer>", "exec"), names)
        for cell in self.tests[name]:
            with _quiet(), answers_of_ours(not isinstance(answer, str)):
                outcome = self._run(cell, names)
            yield outcome

    def _run(self, cell, names: dict) -> Outcome:
        try:
            exec(compile(cell.source, f"<{cell.id}>", "exec"), dict(names))
        except Exception as error:  # whatever ends a test cell costs its points, as in nbgrader
            return Outcome(cell.id, cell.metadata.nbgrader.points, f"{type(error).__name__}: {error}")
        return Outcome(cell.id, cell.metadata.nbgrader.points, "")


def exercises() -> list[Exercise]:
    """List all exercises, in order."""
    return [Exercise(unit) for unit in units()]
