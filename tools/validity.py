"""How far the checks can be trusted: known answers, and mistakes that nobody listed.

    python tools/validity.py       measure all units, print a table for each name; exit with 1 if checks miss something
    python tools/validity.py 04    only this unit

A mistake that nobody listed is a small change of a reference solution: two dimensions swapped, a term dropped, a
constant changed, a comparison flipped, an index off by one, a negation lost. A change that survives all tests either
is a hole in the tests or changes nothing that the task speaks of; those of the second kind stand, with the reason, in
``tests/mutants/<unit>/equivalent.json``. A changed loop may never end: whatever takes longer than 20 s is caught.

Each unit's result is kept in ``experiments/results/validity.json``, from which the book's page for instructors is made.
"""

import argparse
import ast
import contextlib
import copy
import datetime
import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence

from exercise_harness import SHOWS_THE_SAME, Exercise, KnownAnswer, exercises, known_answers
from notebooks import ROOT, find_unit
from tqdm import tqdm

RESULTS = ROOT / "experiments" / "results" / "validity.json"
SECONDS = 20  # a mutant's test cells take milliseconds, or they never end
WANTED = 0.98

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
    """Tell which of the mutants of a reference solution get full marks."""
    alive = []
    for words, program in tqdm(programs, desc=f"{exercise.unit} {name}", leave=False, disable=None):
        with contextlib.suppress(TimeoutError), time_limit(SECONDS):
            if exercise.passes(name, program):
                alive.append(words)
    return alive


def equivalents(exercise: Exercise) -> dict[str, dict[str, str]]:
    """Read the changes that change nothing: for each name, the change and the reason."""
    path = ROOT / "tests" / "mutants" / exercise.slug / "equivalent.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def measure(exercise: Exercise, name: str, answers: Sequence[KnownAnswer]) -> dict:
    """Grade the known answers and the small changes of one name."""
    programs, known = small_changes(exercise, name), equivalents(exercise).get(name, {})
    alive = survivors(exercise, name, programs)
    return {
        "cells": [cell.id for cell in exercise.tests[name]],
        "answers": [
            {
                "answer": answer.path.stem,
                "belief": answer.belief,
                "passed": [not outcome.message for outcome in answer.result.outcomes],
                "points": answer.result.score,
            }
            for answer in answers
        ],
        "changes": len(programs),
        "without_effect": sum(words in known for words in alive),
        "survive": [words for words in alive if words not in known],
    }


def table(name: str, found: dict) -> list[str]:
    """Write the matrix of one name: a row for each known answer, a column for each test cell."""
    lines = [f"### `{name}`", "", "| answer | " + " | ".join(found["cells"]) + " | points | what its author believes |"]
    lines.append("|---" * (len(found["cells"]) + 3) + "|")
    for row in found["answers"]:
        marks = " | ".join("passed" if passed else "**stopped**" for passed in row["passed"])
        lines.append(f"| {row['answer']} | {marks} | {row['points']:g} | {row['belief']} |")
    if found["changes"]:
        changing = found["changes"] - found["without_effect"]
        lines += [
            "",
            f"Small changes of the solution: {found['changes']} tried, {found['without_effect']} change nothing, "
            f"{changing - len(found['survive'])} of the other {changing} caught ({caught(found):.1%}).",
            "",
            *(f"- survives: {words}" for words in found["survive"]),
        ]
    return [*lines, ""]


def caught(found: dict) -> float:
    """Give the share of the changes with an effect that the tests catch."""
    return 1 - len(found["survive"]) / max(found["changes"] - found["without_effect"], 1)


def faults(exercise: Exercise, answers: Sequence[KnownAnswer]) -> list[str]:
    """List what breaks a rule among the known answers of a unit."""
    found, messages = [], {}
    for answer in answers:
        label = f"{exercise.unit}, {answer.name}/{answer.path.stem}"
        if answer.right != answer.result.full:
            found.append(f"{label}: got {answer.result.score:g} points\n{answer.result.messages}")
        if not answer.right and answer.says.lower() not in answer.result.messages.lower():
            found.append(f"{label}: expected the message to hold {answer.says!r}\n{answer.result.messages}")
        if not answer.right and SHOWS_THE_SAME not in answer.result.messages:
            other = messages.setdefault((answer.name, answer.result.messages), answer)
            if other is not answer and other.path.stem != answer.same_as and answer.path.stem != other.same_as:
                found.append(f"{label}: the same message as {other.path.stem}, which does not say so")
    return found


def keep(unit: str, names: dict) -> None:
    """Write a unit's result into the file of results, whole or not at all."""
    content = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    content[unit] = {"measured": datetime.date.today().isoformat(), "names": names}
    unfinished = RESULTS.with_suffix(".part")
    unfinished.write_text(json.dumps(dict(sorted(content.items())), indent=1) + "\n", encoding="utf-8")
    os.replace(unfinished, RESULTS)


def main(arguments: list[str] | None = None) -> int:
    """Print the tables and what is wrong; the exit status is 1 if something is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unit", nargs="?", help="the unit's number, as 04; all units without it")
    options = parser.parse_args(arguments)
    wrong = []
    for exercise in [Exercise(find_unit(options.unit))] if options.unit else exercises():
        answers, names = known_answers(exercise), {}
        wrong += faults(exercise, answers)
        print(f"## {exercise.unit}\n")
        for name in exercise.names:
            names[name] = measure(exercise, name, [answer for answer in answers if answer.name == name])
            print("\n".join(table(name, names[name])), flush=True)
            if caught(names[name]) < WANTED:
                wrong.append(
                    f"{exercise.unit}, {name}: {caught(names[name]):.1%} of the changes caught, not {WANTED:.0%}"
                )
        keep(exercise.unit, names)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
