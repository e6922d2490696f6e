"""How far `course-grader similarity` tells copies from separate work, measured on answers to all exercises.

    python tools/similarity_rates.py    measure and write benchmarks/results/similarity.md (half a minute)

Separate answers to a task are its solution and the two unusual right answers of ``tests/right_answers/``. So a unit has
three classmates who have no text in common. A copy is one of the three with all its variables renamed, independent
statements exchanged, comments changed and the layout that `ast.unparse` gives; a copy of a half takes every second task
from a copy and the others from somebody else. What the measure cannot say: all of them were written by the makers of
the course, and no class has been compared yet.
"""

import ast
import itertools
import sys
from collections import defaultdict

from notebooks import ROOT, exercise_path, read, role_of, source_path, units

from course_grader.own_code import Alphabet, own_code
from course_grader.similarity import LEAST, RUN, SHORT, THRESHOLD, Pair, Work, compare

RESULT = ROOT / "benchmarks" / "results" / "similarity.md"
SIZES = (0, 15, SHORT, 60, 120, 1000)
ALPHABET = Alphabet()


def right_answers(slug: str) -> dict[str, list[str]]:
    """Return the texts of ``tests/right_answers/``, by the name that they answer."""
    found = defaultdict(list)
    for node in ast.parse((ROOT / "tests" / "right_answers" / f"{slug}.py").read_text("utf8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and "__" in node.name.strip("_"):
            node.name, node.decorator_list = node.name.split("__")[0], []
            found[node.name].append(ast.unparse(node))
    return found


def copied(source: str) -> str:
    """Return an answer with its variables renamed, independent statements exchanged, and comments of its own."""
    tree = ast.parse(source)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg) and node.arg != "self"}
    new = {name: f"renamed_{number}" for number, name in enumerate(sorted(names))}
    for node in ast.walk(tree):
        for field in ("id", "arg"):
            if not isinstance(node, ast.keyword) and getattr(node, field, None) in new:
                setattr(node, field, new[getattr(node, field)])
    for node in ast.walk(tree):
        if isinstance(getattr(node, "body", None), list):
            _exchange(node.body)
    return "\n".join(f"{line}  # mine" for line in ast.unparse(tree).splitlines())


def _exchange(body: list[ast.stmt]) -> None:
    def names(node, context):
        return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, context)}

    place = 0
    while place + 1 < len(body):
        one, other = body[place : place + 2]
        free = all(isinstance(each, ast.Assign) for each in (one, other))
        free = free and not names(one, ast.Store) & names(other, (ast.Load, ast.Store))
        if free and not names(other, ast.Store) & names(one, ast.Load):
            body[place : place + 2] = other, one
        place += 2


def answers(unit: str) -> list[dict[str, str]]:
    """Return three classmates, each with the texts of the tasks that there are: the solution, and two right ones."""
    unusual = right_answers(unit[3:])
    found = []
    for cell in read(source_path(unit)).cells:
        if role_of(cell) == "solution":
            name = cell.metadata.nbgrader.grade_id
            found.append((name, (cell.source, *[*unusual[name], "", ""][:2])))
    return [{name: texts[who] for name, texts in found if texts[who]} for who in range(3)]


def work(unit: str, texts: dict[str, str], only: set[str]) -> Work:
    """Return what somebody wrote, with the validation, which the released cell holds, left out."""
    released = {
        cell.metadata.get("nbgrader", {}).get("grade_id"): cell.source for cell in read(exercise_path(unit)).cells
    }
    cells = {}
    for name in sorted(only & set(texts)):
        kept = [line for line in texts[name].splitlines() if "require_" not in line and f"def {name}(" not in line]
        cells[name] = own_code("\n".join(kept), released[name], ALPHABET)
    return Work(unit, cells)


def measure(unit: str) -> dict[str, list[Pair]]:
    """Compare classmates who wrote by themselves, copies, and copies of a half."""
    classmates = answers(unit)
    everything = work(unit, classmates[0], set(classmates[0])).cells
    long = {name for name, code in everything.items() if len(code.symbols) >= SHORT}
    found = defaultdict(list)
    for one, other in itertools.combinations(classmates, 2):
        both = long & set(one) & set(other)
        if sum(len(everything[name].symbols) for name in both) >= LEAST:
            found["separate"].append(compare(work(unit, one, both), work(unit, other, both)))
    for who, classmate in enumerate(classmates):
        copy = {name: copied(text) for name, text in classmate.items()}
        found["copies"].append(compare(work(unit, classmate, long), work(unit, copy, long)))
        other = classmates[(who + 1) % 3]
        both = long & set(other) & set(copy)
        half = {name: (copy if place % 2 else other)[name] for place, name in enumerate(sorted(both))}
        found["halves"].append(compare(work(unit, classmate, both), work(unit, half, both)))
    for name in classmates[0]:  # one task alone
        texts = [each for each in classmates if name in each]
        size = next(least for least, most in itertools.pairwise(SIZES) if len(everything[name].symbols) < most)
        for one, other in itertools.combinations(texts, 2):
            found[f"separate {size}"].append(compare(work(unit, one, {name}), work(unit, other, {name})))
        for one in texts:
            copy = {name: copied(one[name])}
            found[f"copies {size}"].append(compare(work(unit, one, {name}), work(unit, copy, {name})))
    return found


def reach(pairs: list[Pair]) -> str:
    """Say how many pairs reach the threshold."""
    return f"{sum(pair.score >= THRESHOLD for pair in pairs)} of {len(pairs)}"


def main() -> int:
    """Measure all units and write the tables."""
    rows, found = [], defaultdict(list)
    for unit in units():
        of_unit = measure(unit)
        for kind, pairs in of_unit.items():
            found[kind] += pairs
        cells = [unit.replace("_", " ")]
        for kind, pick in (("separate", max), ("copies", min), ("halves", min)):
            cells += [reach(of_unit[kind]), f"{pick(pair.score for pair in of_unit[kind]):.0%}"]
        rows.append(" | ".join(cells))
    cells = ["all"]
    for kind, pick in (("separate", max), ("copies", min), ("halves", min)):
        cells += [reach(found[kind]), f"{pick(pair.score for pair in found[kind]):.0%}"]
    rows.append(" | ".join(cells))
    sizes = []
    for least, most in itertools.pairwise(SIZES):
        told = " | ".join(reach(found[f"{kind} {least}"]) for kind in ("separate", "copies"))
        sizes.append(f"| {least} to {most - 1} | {told} |")
    text = f"""# Copies and separate work: `python tools/similarity_rates.py`

{" ".join(line.strip() for line in __doc__.split("    python")[1].splitlines()[2:])}
Runs of {RUN} tokens; the threshold is a score of {THRESHOLD:.0%}.

## A whole unit, tasks of {SHORT} tokens and more

| unit | separate: reach the threshold | highest | copies: reach it | lowest | copies of a half: reach it | lowest |
|---|---|---|---|---|---|---|
{chr(10).join(f"| {row} |" for row in rows)}

## One task alone

| tokens of the solution | separate: reach the threshold | copies: reach it |
|---|---|---|
{chr(10).join(sizes)}
"""
    RESULT.write_text(text, encoding="utf-8", newline="\n")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
