"""`course-check`: names the bug in anybody's implementation, in a terminal.

    course-check scaled_dot_product_attention my_file.py:my_attention
    course-check MultiHeadAttention                                      how it is called, and what it has to do
    course-check --list

The file is imported, so what stands in it at the top level is run. Exit codes: 0, all is right, perhaps in another
convention, which is said; 1, something is not; 2, it could not be tried.
"""

import argparse
import contextlib
import difflib
import functools
import importlib
import importlib.util
import inspect
import io
import json
import os
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from course_checks.cases import Case
from course_checks.cli.asked import asked
from course_checks.cli.conventions import Convention, adapted, candidates, parameters
from course_checks.subject import Subject
from course_checks.task import Task
from course_checks.words import CheckFailed
from transformer_course.common.units import UNITS


class CannotTry(Exception):
    """What keeps an implementation from being tried, in one sentence."""


COLUMNS, HANGING = 88, " " * 17  # of what a terminal shows: the words of a part stand below each other
WHOLE = {"break_long_words": False, "break_on_hyphens": False}


@dataclass
class Report:
    """What was found of an implementation.

    Args:
        name: of the task.
        right: whether it is right; cases at the border, which the course asks for and not everybody, do not count.
        conventions: in which it differs from the course, in words.
        passed: what is right, in words.
        message: what is not: situation, observed, expected, likely cause, and what to try.
        rare: the same of a case at the border.
    """

    name: str
    right: bool = False
    conventions: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    message: dict[str, str] | None = None
    rare: dict[str, str] | None = None

    def __str__(self) -> str:
        lines = [f"passed  {self.name}: {each}" for each in self.passed]
        lines += [
            f"note    {self.name}: your code has another convention than the course: {each}"
            for each in self.conventions
        ]
        if self.rare:
            lines += ["", "Right, but for a case at the border, which the course asks for:"]
        if self.message or self.rare:
            lines += ["", *str(CheckFailed(**(self.message or self.rare))).splitlines()]
        return "\n".join(textwrap.fill(line, COLUMNS, subsequent_indent=HANGING, **WHOLE) for line in lines)


def tasks() -> dict[str, tuple[str, Task]]:
    """Fetch every graded name, with the number of its unit; a name that two units have has the number before it."""
    found: dict[str, tuple[str, Task]] = {}
    for unit in UNITS:
        module = importlib.import_module(f"course_checks.{unit.slug}")
        for task in vars(module).values():
            if isinstance(task, Task):
                number = unit.name.partition("_")[0]
                found[task.name if task.name not in found else f"{number}:{task.name}"] = number, task
    return found


def load(place: str, name: str) -> Callable:
    """Import a file and fetch what is to be checked.

    Args:
        place: the file, and after a colon the name in it, which may be left out where it is that of the task.
        name: of the task.

    Raises:
        CannotTry: if there is no such file or name, or the file cannot be imported.
    """
    path, _, wanted = place.rpartition(":") if ".py:" in place else (place, "", "")
    file = Path(path)
    if not file.is_file():
        raise CannotTry(f"{path}: there is no such file")
    sys.path.insert(0, str(file.parent.resolve()))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(file.stem, module)
    try:
        spec.loader.exec_module(module)
        found = functools.reduce(getattr, (wanted or name).split("."), module)
    except AttributeError as error:
        own = [each for each, what in vars(module).items() if getattr(what, "__module__", None) == module.__name__]
        instead = f"; it has {', '.join(own)}: name one, as {file.name}:{own[0]}" if own else ""
        raise CannotTry(f"{path}: {error}{instead}") from error
    except Exception as error:
        raise CannotTry(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    if not callable(found):
        raise CannotTry(f"{place}: expected a function or a class, got {type(found).__name__}")
    return found


def _unknown(name: str, known: list[str]) -> str:
    if ".py" in name:
        return f"{name}: the name of the task comes first, as in `course-check softmax {name}`"
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5) or [each for each in known if name in each]
    meant = f"did you mean {' or '.join(near)}? " if near else ""
    return f"{name}: no such task; {meant}`course-check --list` prints them all"


def _require_constructor(task: Task, answer: Callable) -> None:
    """Refuse what cannot be made as the task makes it, before it is called wrong."""
    right = task.run(task.program) if task.program else task._oracle
    if isinstance(answer, type) and not isinstance(right, type):
        raise CannotTry(f"{task.name}: expected a function, got a class")
    if isinstance(right, type):
        theirs = inspect.signature(answer).parameters.values()
        names, taken = parameters(right), [each.name for each in theirs]
        takes_any = any(each.kind is each.VAR_KEYWORD for each in theirs)
        if not takes_any and not set(names) <= set(taken):
            raise CannotTry(
                f"{task.name}: made as ({', '.join(names)}), and this takes ({', '.join(taken)}); "
                f"`course-check {task.name}` prints what it has to take: write a class around this one"
            )


def examine(task: Task, answer: Callable) -> Report:
    """Check an implementation, in whatever convention it is right, or nearest to it."""
    _require_constructor(task, answer)
    names = parameters(task.run(task.program) if task.program else task._oracle)
    if parameters(answer) == names:
        names = []
    task = _open(task)
    chosen, conventions = answer, ()
    if not isinstance(answer, type):
        chosen, conventions = _nearest(task, answer, names)
    report = Report(task.name, conventions=[each.words for each in conventions])
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            task.check(chosen)
            task.grade(chosen)
            report.right = True
            if task.limit_cases and task.limit_cases.visible:
                task.check_limits(chosen)
    except CheckFailed as failed:
        if report.right:
            report.rare = failed.parts
        else:
            report.message = failed.parts
    report.passed = [line.partition(": ")[2] for line in printed.getvalue().splitlines() if line.startswith("passed")]
    return report


def _open(task: Task) -> Task:
    """Copy a task for code that no course asked for: every function of torch is allowed, and no error is required."""
    limits = task.limit_cases
    if limits is not None:
        asked = [case for case in limits.visible if not getattr(case.observe, "refuses", False)]
        limits = replace(limits, visible=asked, passed=limits.passed.replace(", and wrong input", ""))
    return replace(task, unit="", not_allowed=(), limit_cases=limits)


def _nearest(task: Task, answer: Callable, names: list[str]) -> tuple[Callable, tuple[Convention, ...]]:
    """Find the conventions in which most of the visible cases are right; ours where others are not better."""
    best, chosen, conventions = -1, answer, ()
    for tried in candidates(names):
        function = adapted(answer, tried, task._oracle)
        right = _number_right(task, function, task.cases, best)
        if right > best:
            best, chosen, conventions = right, function, tried
        if best == len(task.cases):
            break
    return (chosen, conventions) if conventions else (adapted(answer, (), task._oracle), ())


def _number_right(task: Task, answer: Callable, cases: Sequence[Case], best: int) -> int:
    """Count the cases that are right; stop where the best can no longer be reached."""
    subject, wrong = Subject(answer, ""), 0
    for case in cases:
        wrong += not case.outcome(subject).agrees(task.expected(case), case.within)
        if len(cases) - wrong <= best:
            return -1
    return len(cases) - wrong


def as_far_as_read(run: Callable[[Sequence[str] | None], int], arguments: Sequence[str] | None) -> int:
    """Run a command whose reader, such as `head`, may have seen enough before its end; return the exit code."""
    try:
        code = run(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left goes there at the exit
        return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Check an implementation, or list the names; return the exit code."""
    return as_far_as_read(_main, arguments)


def _main(arguments: Sequence[str] | None) -> int:
    parser = argparse.ArgumentParser("course-check", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("name", nargs="?", help="the name of the task, as scaled_dot_product_attention")
    parser.add_argument("place", nargs="?", metavar="file.py:function", help="the implementation")
    parser.add_argument("--list", action="store_true", help="print every name that can be checked")
    parser.add_argument("--json", action="store_true", help="print for programs")
    options = parser.parse_args(arguments)
    known = tasks()
    if options.list:
        listed = [{"unit": number, "name": name} for name, (number, _) in known.items()]
        print(json.dumps(listed, indent=1) if options.json else "\n".join("{unit}  {name}".format(**x) for x in listed))
        return 0
    try:
        if options.name is None:
            raise CannotTry("expected the name of a task and a file, as in `course-check softmax my_file.py:softmax`")
        if options.name not in known:
            raise CannotTry(_unknown(options.name, list(known)))
        if options.place is None:
            words = asked(known[options.name][1])
            print(json.dumps({"asked": words}) if options.json else words)
            return 0
        report = examine(known[options.name][1], load(options.place, known[options.name][1].name))
    except CannotTry as problem:
        print(json.dumps({"problem": str(problem)}) if options.json else f"course-check: {problem}", file=sys.stderr)
        return 2
    print(json.dumps(asdict(report), indent=1) if options.json else report)
    return 0 if report.right else 1
