"""What a private variant of an exercise is drawn from: other bugs to find, and other predictions to make.

It stands beside the checks of a unit, in its ``variant.py``: bugs for the program of the task *Find the bugs*, each in
one line, and further questions about the experiment that answers the predictions. `course_checks.variants.draw` draws.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from course_checks.predictions import Predictions
from course_checks.words import fail, passed

NUMBERS = ("no", "one", "two", "three", "four", "five")
LINES = "wrong_lines"  # the name of what a learner answers


@dataclass(frozen=True)
class Bug:
    """One wrong line in a program.

    Args:
        line: the right one, without indentation and comment, as the solution has it.
        wrong: what stands in its place.
        why: what is wrong with it, for the one who grades.
    """

    line: str
    wrong: str
    why: str


@dataclass(frozen=True)
class Hunt:
    """What can be drawn for the task *Find the bugs*.

    Args:
        text: what the program should do, with all shapes: what was said of it before may be true of other bugs only.
        bugs: those to draw from; none of the public exercise.
        remark: what is no concern of the task, or allowed in it.
        elsewhere: sentences of other cells that speak of the public bugs, each with what takes its place.
    """

    text: str
    bugs: tuple[Bug, ...]
    remark: str = "Wrong input is no concern of this task."
    elsewhere: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Question:
    """A prediction that can be asked in the place of another.

    Args:
        key: its key in the dictionary of predictions.
        text: what happens to what, and when.
        measure: measures the right word.
        shows: the lines that show it in the cell of the experiment, with the learner's own functions.
    """

    key: str
    text: str
    measure: Callable[[], str]
    shows: str


@dataclass(frozen=True)
class Questions:
    """The predictions that can be drawn for an exercise.

    Args:
        public: those of the exercise itself.
        intro: the text above the questions.
        outro: the text below them.
        cell: the id of the cell that shows the answers.
        experiment: its content, where ROWS stands for what the questions show; or how to make it from what is there.
        pool: the questions.
    """

    public: Predictions
    intro: str
    outro: str
    cell: str
    experiment: str | Callable[[str, str], str]
    pool: tuple[Question, ...]

    @functools.cache  # noqa: B019 (there is one for each unit)
    def about(self, *keys: str) -> Predictions:
        """Make the predictions with these questions."""
        chosen = [next(each for each in self.pool if each.key == key) for key in keys]
        public = self.public
        return Predictions(keys, lambda: [each.measure() for each in chosen], public.answered_in, public.words)


def between(first: str, last: str) -> Callable[[str, str], str]:
    """Make an experiment that shows other rows between two lines of its cell."""

    def put(source: str, rows: str) -> str:
        head, _, rest = source.partition(first)
        return f"{head}{first}{rows}\n{last}{rest.partition(last)[2]}"

    return put


def check_lines(lines: Any, number: int, of: int) -> None:
    """Check that so many different lines are named; not whether they are the wrong ones.

    Raises:
        CheckFailed: if something else is there.
    """
    given = list(lines) if isinstance(lines, list | tuple | set) else []
    numbers = {each for each in given if type(each) is int and 1 <= each <= of}
    if len(given) != number or len(numbers) != number:
        fail(LINES, "the numbers of the wrong lines", repr(lines)[:100],
             f"a list of {NUMBERS[number]} different numbers from 1 to {of}", "a number is missing or too many",
             "the numbers stand at the ends of the lines of the program")  # fmt: skip
    passed(LINES, "so many lines are wrong; grading looks at which")


def grade_lines(lines: Any, wrong: Sequence[int]) -> None:
    """Compare the numbers of the wrong lines.

    Raises:
        CheckFailed: if they are others.
    """
    if not isinstance(lines, list | tuple | set) or len(lines) != len(wrong) or set(lines) != set(wrong):
        fail(LINES, "the numbers of the wrong lines", "other lines than those that are wrong",
             "the lines in which the program differs from a right one", "a line that is right, or one that was missed",
             "which lines did you have to change?")  # fmt: skip
    passed(LINES, "these lines are wrong")
