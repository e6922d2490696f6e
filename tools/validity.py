"""How far the checks can be trusted: the wrong answers of each task, alone and in pairs, and changes nobody listed.

    python tools/validity.py       measure all units, print a table for each; exit with 1 if a wrong answer gets through
    python tools/validity.py 04    only this unit

A small change is one of a reference solution: two dimensions swapped, a term dropped, a constant changed, a comparison
flipped, an index off by one, a negation lost. A change that survives all tests is a hole in the tests, or it changes
nothing that the task speaks of: a person reads the list. A changed loop may never end: whatever takes longer than 20 s
is caught. What survives is kept in tests/survivors.json, unless it is a larger share than before. Of the wrong answers
nothing is kept: what is printed is measured, from those that the checks themselves use.
"""

import argparse
import ast
import contextlib
import signal
import sys
import unittest.mock
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from exercise_harness import Exercise, exercises
from mutants import keep, mutants
from notebooks import find_unit
from tqdm import tqdm

from course_checks.task import Task, WrongAnswer
from course_checks.words import Finding

SECONDS = 20  # of the processor; a mutant's test cells take milliseconds, or they never end


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise ``TimeoutError`` inside after so much time of the processor, and again after each further such time."""

    def stop(*_) -> None:
        raise TimeoutError(f"not done after {seconds:g} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class _WithoutStart(ast.NodeTransformer):
    """Take out of a program how weights start: the calls of `nn.init`, and the scale of a parameter's numbers."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if ast.unparse(node).startswith("nn.init.") else node

    def visit_For(self, node: ast.For) -> ast.AST | None:
        self.generic_visit(node)
        return node if node.body else None

    def visit_Call(self, node: ast.Call) -> ast.AST:
        first = node.args[0] if node.args else None
        if ast.unparse(node.func) == "nn.Parameter" and isinstance(first, ast.BinOp):
            node.args[0] = first.right
        return node


def without_start(source: str) -> str:
    """Give a program without how its weights start."""
    return ast.unparse(_WithoutStart().visit(ast.parse(source)))


def small_changes(exercise: Exercise, name: str) -> list[tuple[str, str]]:
    """List the different mutants of a reference solution; none where the solution is a value and not a program.

    The lines that refuse wrong input stay as they are: a learner is given them. Those that say how weights start are
    left out: the tasks say that it is up to the learner.
    """
    source = without_start(exercise.solution(name))
    if not source.lstrip().startswith(("def ", "class ", "@")):
        return []
    programs = {ast.unparse(ast.parse(source)): ""}
    for words, program in mutants(source):
        if not words.startswith("`require_"):
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
    """Print the tables and what got through; the exit status is 1 if a wrong answer did, or more small changes."""
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
        tried, alive = 0, []
        for name in exercise.names:
            programs = small_changes(exercise, name)
            tried += len(programs)
            alive += [f"{name}: {words}" for words in survivors(exercise, name, programs)]
        print(f"\n{tried} small changes, {len(alive)} survive")
        print("".join(f"- survives: {words}\n" for words in alive), flush=True)
        if not keep("solutions", exercise.unit, tried, alive):
            print(f"{exercise.unit}: not kept, for the share of small changes that survive has risen")
            missed += 1
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
