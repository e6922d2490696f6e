"""How far `course-grader similarity` tells copies from separate work, measured on answers to all exercises.

    python tools/similarity_rates.py    measure and write benchmarks/results/similarity.md (half a minute)

Separate answers to a task are its solution, the two unusual right answers of ``tests/right_answers/``, and what the
checks build: the usual way to write it, from which their wrong answers differ in one choice. A unit has up to four
classmates who have no text in common. A copy is one of the first three with all its variables renamed, independent
statements exchanged, comments changed and the layout that `ast.unparse` gives; a copy of a half takes every second task
from a copy and the others from somebody else. What the measure cannot say: all of them were written by the makers of
the course, and no class has been compared yet.
"""

import ast
import importlib
import inspect
import itertools
import sys
import textwrap
from collections import defaultdict

from notebooks import ROOT, exercise_path, read, role_of, source_path, units

from course_checks.task import Task
from course_grader.own_code import Alphabet, own_code
from course_grader.similarity import LEAST, RUN, SHORT, THRESHOLD, Pair, Work, compare

RESULT = ROOT / "benchmarks" / "results" / "similarity.md"
SIZES = (0, 15, SHORT, 60, 120, 1000)
ALPHABET = Alphabet()


class Chosen(ast.NodeTransformer):
    """Put the choices of a pipeline into its text, and leave out what then never runs."""

    def __init__(self, values: dict):
        self.values = values

    def visit_Name(self, node):  # noqa: D102
        return ast.Constant(self.values[node.id]) if node.id in self.values else node

    def visit_Compare(self, node):  # noqa: D102
        node = self.generic_visit(node)
        try:
            code = compile(ast.fix_missing_locations(ast.Expression(node)), "choice", "eval")
            return ast.Constant(bool(eval(code, {"__builtins__": {}})))
        except (NameError, TypeError, AttributeError):
            return node

    def visit_IfExp(self, node):  # noqa: D102
        node = self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_Call(self, node):  # noqa: D102
        node = self.generic_visit(node)
        called, first = node.func, node.args[0] if node.args else None
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Dict) and isinstance(first, ast.Constant):
            keys = [key.value if isinstance(key, ast.Constant) else None for key in called.value.keys]
            return called.value.values[keys.index(first.value)] if first.value in keys else node.args[-1]
        return called.body if isinstance(called, ast.Lambda) and not node.args else node

    def visit_If(self, node):  # noqa: D102
        node = self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return (node.body if node.test.value else node.orelse) or None
        return node


def usual_answer(task: Task) -> str:
    """Return the right answer that a task's wrong answers are made from, as a learner could write it; or nothing."""
    for pipeline in task._pipelines:
        tree = ast.parse(textwrap.dedent(inspect.getsource(pipeline.function))).body[0]
        if not isinstance(tree, ast.FunctionDef):
            continue
        arguments = tree.args
        names = [*arguments.args[len(arguments.args) - len(arguments.defaults) :], *arguments.kwonlyargs]
        defaults = zip(names, [*arguments.defaults, *arguments.kw_defaults], strict=True)
        values = {name.arg: each.value for name, each in defaults if isinstance(each, ast.Constant)}
        tree = Chosen({name: value for name, value in values.items() if name in pipeline.choices}).visit(tree)
        made = [each for each in tree.body if isinstance(each, ast.ClassDef | ast.FunctionDef)]
        tree = made[-1] if pipeline.makes and made else tree
        tree.name, tree.decorator_list = task.name, []
        return ast.unparse(ast.fix_missing_locations(tree))
    return ""


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
    """Return four classmates, each with the texts of the tasks that there are: solution, two right ones, the usual."""
    checks = importlib.import_module(f"course_checks.{unit[3:]}")
    usual = {task.name: usual_answer(task) for task in vars(checks).values() if isinstance(task, Task)}
    unusual = right_answers(unit[3:])
    found = []
    for cell in read(source_path(unit)).cells:
        if role_of(cell) == "solution":
            name = cell.metadata.nbgrader.grade_id
            texts = (cell.source, *[*unusual[name], "", ""][:2], usual.get(name, ""))
            found.append((name, texts))
    return [{name: texts[who] for name, texts in found if texts[who]} for who in range(4)]


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
    for who in range(3):
        copy = {name: copied(text) for name, text in classmates[who].items()}
        found["copies"].append(compare(work(unit, classmates[who], long), work(unit, copy, long)))
        other = classmates[(who + 1) % 3]
        both = long & set(other) & set(copy)
        half = {name: (copy if place % 2 else other)[name] for place, name in enumerate(sorted(both))}
        found["halves"].append(compare(work(unit, classmates[who], both), work(unit, half, both)))
    for name in classmates[0]:  # one task alone
        texts = [each for each in classmates if name in each]
        size = next(least for least, most in itertools.pairwise(SIZES) if len(everything[name].symbols) < most)
        for one, other in itertools.combinations(texts, 2):
            found[f"separate {size}"].append(compare(work(unit, one, {name}), work(unit, other, {name})))
        for one in texts[:3]:
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
