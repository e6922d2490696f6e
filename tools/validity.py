"""How far the checks can be trusted: known answers, and mistakes that nobody listed.

    python tools/validity.py                print a table for each name; exit with 1 if the checks miss something
    python tools/validity.py 04             only this unit
    python tools/validity.py --page FILE    write the tables as a Markdown page

A mistake that nobody listed is a small change of a reference solution: two dimensions swapped, a term dropped, a
constant changed, a comparison flipped, an index off by one, a negation lost. A change that survives all tests either
is a hole in the tests or changes nothing that the task speaks of; those of the second kind stand, with the reason, in
``tests/mutants/<unit>/equivalent.json``.
"""

import argparse
import ast
import copy
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from exercise_harness import SHOWS_THE_SAME, Exercise, KnownAnswer, exercises, known_answers
from notebooks import ROOT, find_unit

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


def survivors(exercise: Exercise, name: str) -> tuple[int, list[str]]:
    """Try all mutants of a reference solution; return how many there are and which of them get full marks."""
    source, tried, alive = exercise.solution(name), 0, []
    plain = ast.unparse(ast.parse(source))
    seen = {plain}
    for words, program in mutants(source):
        if program not in seen:
            seen.add(program)
            tried += 1
            if exercise.grade(name, program).full:
                alive.append(words)
    return tried, alive


def equivalents(exercise: Exercise) -> dict[str, dict[str, str]]:
    """Read the changes that change nothing: for each name, the change and the reason."""
    path = ROOT / "tests" / "mutants" / exercise.slug / "equivalent.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def table(exercise: Exercise, name: str, answers: list[KnownAnswer]) -> list[str]:
    """Write the matrix of one name: a row for each known answer, a column for each test cell."""
    cells = [cell.id for cell in exercise.tests[name]]
    lines = [f"### `{name}`", "", "| answer | " + " | ".join(cells) + " | points | what its author believes |"]
    lines.append("|---" * (len(cells) + 3) + "|")
    for answer in answers:
        marks = ["passed" if not outcome.message else "**stopped**" for outcome in answer.result.outcomes]
        lines.append(f"| {answer.path.stem} | " + " | ".join(marks) + f" | {answer.result.score:g} | {answer.belief} |")
    return [*lines, ""]


def faults(exercise: Exercise, answers: list[KnownAnswer]) -> list[str]:
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


def main(arguments: list[str] | None = None) -> int:
    """Print the tables and what is wrong; the exit status is 1 if something is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unit", nargs="?", help="the unit's number, as 04; all units without it")
    parser.add_argument("--page", type=Path, help="a Markdown file for the tables")
    options = parser.parse_args(arguments)
    chosen = [Exercise(find_unit(options.unit))] if options.unit else exercises()
    lines, found = [], []
    for exercise in chosen:
        answers = known_answers(exercise)
        found += faults(exercise, answers)
        lines += [f"## {exercise.unit}", ""]
        for name in exercise.names:
            lines += table(exercise, name, [answer for answer in answers if answer.name == name])
            if not exercise.solution(name).lstrip().startswith(("def ", "class ")):
                continue
            tried, alive = survivors(exercise, name)
            known = equivalents(exercise).get(name, {})
            holes = [words for words in alive if words not in known]
            changing = tried - (len(alive) - len(holes))
            share = 1 - len(holes) / max(changing, 1)
            lines += [
                f"Small changes of the solution: {tried} tried, {len(alive) - len(holes)} change nothing, "
                f"{changing - len(holes)} of the other {changing} caught ({share:.1%}).",
                "",
            ]
            lines += [*(f"- survives: {words}" for words in holes), *([""] if holes else [])]
            if share < WANTED:
                found.append(f"{exercise.unit}, {name}: {share:.1%} of the changes caught, expected {WANTED:.0%}")
    print("\n".join(lines))
    if options.page:
        options.page.write_text("# Can the checks be trusted?\n\n" + "\n".join(lines), encoding="utf-8")
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
