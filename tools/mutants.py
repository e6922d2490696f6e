"""Small changes of a program, one at a time, and the record of those that no test notices.

Two dimensions swapped, a term dropped, a constant changed, a comparison flipped, an index off by one, a negation lost,
a line left out. `validity.py` tries them on the solutions under their checks, `survivors.py` on the library's units
under their tests. What survives is kept in tests/survivors.json, unless its share has risen.
"""

import ast
import copy
import json
from collections.abc import Iterator, Sequence

from notebooks import ROOT

RECORD = ROOT / "tests" / "survivors.json"
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
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "the line is dropped", ast.Pass()


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


def record() -> dict[str, dict[str, dict]]:
    """Read what is kept of the library and of the solutions: for each unit how many were tried, and which survived."""
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {"library": {}, "solutions": {}}


def share(*kept: dict) -> float:
    """Return the share of the changes of some units that survived."""
    return sum(len(each["survive"]) for each in kept) / sum(each["tried"] for each in kept)


def keep(part: str, unit: str, tried: int, survive: Sequence[str]) -> bool:
    """Write what was found of a unit into the record, unless that would raise its share; say whether it was written."""
    kept, found = record(), {"tried": tried, "survive": list(survive)}
    if unit in kept[part] and share(found) > share(kept[part][unit]):
        return False
    kept[part] = dict(sorted({**kept[part], unit: found}.items()))
    RECORD.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return True
