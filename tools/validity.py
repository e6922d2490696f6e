"""How far the checks can be trusted: the wrong answers of each task, alone and in pairs, and changes nobody listed.

    python tools/validity.py       measure all units, print a table for each; exit with 1 if a wrong answer gets through
    python tools/validity.py 04    only this unit

A small change is one of a reference solution: two dimensions swapped, a term dropped, a constant changed, a comparison
flipped, an index off by one, a negation lost. A change that survives all tests is a hole in the tests, or it changes
nothing that the task speaks of: a person reads the list. A changed loop may never end: whatever takes longer than 20 s
is caught. Nothing is kept: what is printed is measured, from the wrong answers that the checks themselves use.
"""

import argparse
import ast
import contextlib
import copy
import signal
import sys
import unittest.mock
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from exercise_harness import Exercise, exercises
from notebooks import find_unit
from tqdm import tqdm

from course_checks.task import Task, WrongAnswer
from course_checks.words import Finding

SECONDS = 20  # a mutant's test cells take milliseconds, or they never end

COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATORS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.MatMult: ast.Mult,
    ast.FloorDiv: ast.Div, ast.Pow: ast.Mult, ast.Mod: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield the changed forms of one node of a program, each with a few words."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        for value in {node.value + 1, node.value - 1, -node.value} - {node.value}:
            yield f"{node.value} becomes {value}", ast.Constant(value)
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield f"{node.value} becomes {not node.value}", ast.Constant(not node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not | ast.Invert):
        if not isinstance(node.operand, ast.Constant):
            yield f"{type(node.op).__name__} is dropped", node.operand
        elif isinstance(node.op, ast.USub):
            for value in (node.operand.value, -node.operand.value - 1, -node.operand.value + 1):
                yield f"-{node.operand.value} becomes {value}", ast.Constant(value)
    if isinstance(node, ast.BinOp):
        other = copy.copy(node)
        other.op = OPERATORS.get(type(node.op), ast.Add)()
        yield f"{type(node.op).__name__} becomes {type(other.op).__name__}", other
        yield f"the right side of {type(node.op).__name__} is dropped", node.left
        yield f"the left side of {type(node.op).__name__} is dropped", node.right
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        other = copy.copy(node)
        other.ops = [COMPARISONS[type(node.ops[0])](), *node.ops[1:]]
        yield f"{type(node.ops[0]).__name__} becomes {type(other.ops[0]).__name__}", other
    if isinstance(node, ast.BoolOp):
        other = copy.copy(node)
        other.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        yield f"{type(node.op).__name__} becomes {type(other.op).__name__}", other
        for position in range(len(node.values)):
            rest = [value for place, value in enumerate(node.values) if place != position]
            other = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
            yield f"condition {position + 1} of {type(node.op).__name__} is dropped", other
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and not isinstance(node.func.value, ast.Name)
    ):
        yield f"the call of .{node.func.attr} is dropped", node.func.value
    if (
        isinstance(node, ast.Call)
        and len(node.args) >= 2
        and not any(isinstance(x, ast.Starred) for x in node.args[:2])
    ):
        other = copy.copy(node)
        other.args = [node.args[1], node.args[0], *node.args[2:]]
        yield "the first two arguments are swapped", other
    if isinstance(node, ast.Call):
        for position, keyword in enumerate(node.keywords):
            other = copy.copy(node)
            other.keywords = [each for place, each in enumerate(node.keywords) if place != position]
            yield f"the argument {keyword.arg} is dropped", other
    if isinstance(node, ast.Raise):
        yield "raise becomes pass", ast.Pass()


def places(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """Yield every node below this one with its parent, field and position; not in annotations and texts of errors."""
    for field, value in ast.iter_fields(node):
        if isinstance(node, ast.Raise) or field in ("annotation", "returns"):
            continue
        for index, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, ast.AST):
                yield node, field, index if isinstance(value, list) else None, child
                yield from places(child)


def put(parent: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
    """Set one node of a program."""
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """Yield every program that differs from this one in one small change, each with a line that says where."""
    tree = ast.parse(source)
    for parent, field, index, child in list(places(tree)):
        for words, changed in changes(child):
            put(parent, field, index, ast.copy_location(changed, child))
            program = ast.unparse(ast.fix_missing_locations(tree))
            put(parent, field, index, child)
            yield f"`{ast.unparse(child).splitlines()[0]}`: {words}", program


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise ``TimeoutError`` inside after this time, and again after each further such time."""

    def stop(*_) -> None:
        raise TimeoutError(f"not done after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def small_changes(exercise: Exercise, name: str) -> list[tuple[str, str]]:
    """List the different mutants of a reference solution; none where the solution is a value and not a program."""
    source = exercise.solution(name)
    if not source.lstrip().startswith(("def ", "class ", "@")):
        return []
    programs = {ast.unparse(ast.parse(source)): ""}
    for words, program in mutants(source):
        programs.setdefault(program, words)
    return [(words, program) for program, words in programs.items() if words]


def survivors(exercise: Exercise, name: str, programs: Sequence[tuple[str, str]]) -> list[str]:
    """Tell which of the mutants of a reference solution get full marks; why the others fail does not matter."""
    alive = []
    with unittest.mock.patch("course_checks.task.diagnose", return_value=Finding("wrong")):
        for words, program in tqdm(programs, desc=f"{exercise.unit} {name}", leave=False, disable=None):
            with contextlib.suppress(TimeoutError), time_limit(SECONDS):
                if exercise.passes(name, program):
                    alive.append(words)
    return alive


@dataclass
class Measured:
    """What the test cells of one task made of its wrong answers."""

    name: str
    answers: int
    missed: list[str]
    unnamed: list[str]
    pairs: int
    missed_pairs: list[str]
    half_named: int


def measure(exercise: Exercise, task: Task, every: int = 1) -> Measured:
    """Grade the wrong answers of a task, all the single ones and each so-many-th pair."""
    pairs = list(task.pairs())[::every]
    single = [(wrong, exercise.grade(task.name, wrong.function)) for wrong in task.wrong]
    double = [(wrong, exercise.grade(task.name, wrong.function)) for wrong in pairs]
    return Measured(
        task.name,
        len(single),
        [wrong.name for wrong, result in single if result.full],
        [wrong.name for wrong, result in single if not result.full and not _named(wrong, result.message)],
        len(double),
        [wrong.name for wrong, result in double if result.full],
        sum(not result.full and not _named(wrong, result.message) for wrong, result in double),
    )


def _named(wrong: WrongAnswer, message: str) -> bool:
    return any(words.cause in message for words in wrong.words)


def table(exercise: Exercise, rows: Sequence[Measured]) -> list[str]:
    """Write what was measured of a unit."""
    lines = [
        f"## {exercise.unit}",
        "",
        "| task | wrong answers | caught | cause named | pairs | caught | a cause named |",
    ]
    lines.append("|---" * 7 + "|")
    for row in rows:
        named = row.answers - len(row.missed) - len(row.unnamed)
        pairs = row.pairs - len(row.missed_pairs)
        lines.append(
            f"| `{row.name}` | {row.answers} | {row.answers - len(row.missed)} | {named} | {row.pairs} | {pairs} | "
            f"{pairs - row.half_named} |"
        )
    return [*lines, ""]


def main(arguments: list[str] | None = None) -> int:
    """Print the tables and what got through; the exit status is 1 if a wrong answer did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unit", nargs="?", help="the unit's number, as 04; all units without it")
    options = parser.parse_args(arguments)
    missed = 0
    for exercise in [Exercise(find_unit(options.unit))] if options.unit else exercises():
        rows = [measure(exercise, task) for task in tqdm(exercise.tasks.values(), desc=exercise.unit, leave=False)]
        print("\n".join(table(exercise, rows)), flush=True)
        for row in rows:
            for name in (*row.missed, *row.unnamed, *row.missed_pairs):
                print(f"- {row.name}: {name}: {'not named' if name in row.unnamed else 'not caught'}")
            missed += len(row.missed) + len(row.missed_pairs)
        for name in exercise.names:
            programs = small_changes(exercise, name)
            alive = survivors(exercise, name, programs)
            if programs:
                print(f"\n`{name}`: {len(programs)} small changes, {len(alive)} survive")
            print("".join(f"- survives: {words}\n" for words in alive), flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
