"""Small changes of a program, one after the other: of expressions by the table of operators, and of whole statements.

A change is yielded while it stands in the tree and undone afterwards, so that no tree is ever copied.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from course_checks.repair.operators import TABLE, WHICH_NAME, WHICH_WAY
from course_checks.repair.trees import Scope, changed, is_read, made, name, replaced

_ORDER = "do these lines come in the right order?"
_NEEDED = "is this line needed, and is it in the right place?"
_KEPT = "what was in the variable before: is it lost here, or should it come in?"


@dataclass(frozen=True)
class Change:
    """A changed program: the line of the original that it changes, the question, and whether it only adds something."""

    line: int
    question: str
    adds: bool
    kind: str


def changes(definition: ast.AST, scope: Scope) -> Iterator[Change]:
    """Change a function or class in one place after another, the likeliest changes first.

    Args:
        definition: the tree; while a change is yielded it holds it, and afterwards it is what it was.
        scope: what is known beside it.

    Yields:
        What is changed just now.
    """
    nodes = list(_places(definition, scope))
    for parent, _, _, child in nodes:
        if isinstance(parent, ast.Assign | ast.Return | ast.AugAssign | ast.Tuple | ast.Call):
            scope.whole.add(id(child))
    first = [each for each in nodes if not _in_constructor(each[3], definition)]
    rest = [each for each in nodes if _in_constructor(each[3], definition)]
    replacing, adding = ([each for each in TABLE if each[1] == adds] for adds in (False, True))
    yield from _of_expressions(replacing, first, scope)
    yield from _of_statements(definition, scope)
    yield from _of_expressions(adding, first, scope)
    yield from _of_expressions(replacing, rest, scope)
    yield from _of_expressions(adding, rest, scope)


def _in_constructor(node: ast.AST, definition: ast.AST) -> bool:
    return isinstance(definition, ast.ClassDef) and any(
        isinstance(each, ast.FunctionDef) and each.name == "__init__" and each.lineno <= node.lineno <= each.end_lineno
        for each in definition.body
    )


def _of_expressions(table: list, nodes: list, scope: Scope) -> Iterator[Change]:
    for question, adds, rewrite in table:
        for parent, part, index, child in nodes:
            for other in rewrite(child, scope):
                _put(parent, part, index, ast.fix_missing_locations(ast.copy_location(other, child)))
                yield Change(child.lineno, question, adds, rewrite.__name__.strip("_"))
                _put(parent, part, index, child)


def _places(node: ast.AST, scope: Scope) -> Iterator[tuple[ast.AST, str, int | None, ast.expr]]:
    """Yield the expressions that ran, each with its parent, field and position; not those that refuse wrong input."""
    for part, value in ast.iter_fields(node):
        if part in ("annotation", "returns", "decorator_list", "type_params", "ctx") or _is_guard(node):
            continue
        for index, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST):
                continue
            if isinstance(child, ast.expr) and _ran(child, scope):
                yield node, part, index if isinstance(value, list) else None, child
            yield from _places(child, scope)


def _ran(node: ast.AST, scope: Scope) -> bool:
    return scope.lines is None or not scope.lines.isdisjoint(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _is_guard(node: ast.AST) -> bool:
    """Say whether a statement only refuses wrong input, documents, or begins a module."""
    if isinstance(node, ast.Raise | ast.Assert):
        return True
    if isinstance(node, ast.Expr):
        text = ast.unparse(node)
        return isinstance(node.value, ast.Constant) or text.startswith(("require", "super("))
    return isinstance(node, ast.If) and all(_is_guard(each) for each in node.body)


def _put(parent: ast.AST, part: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(parent, part, node)
    else:
        getattr(parent, part)[index] = node


def _of_statements(definition: ast.AST, scope: Scope) -> Iterator[Change]:
    """Exchange, drop, move and extend whole statements."""
    for body in _bodies(definition):
        usable = [_is_usable(each, scope) for each in body]
        for index in range(len(body)):
            if usable[index]:
                yield from _of_statement(body, index, usable[index + 1 : index + 2] == [True], scope)


def _of_statement(body: list, index: int, two: bool, scope: Scope) -> Iterator[Change]:
    """Change one statement of a body, alone or, where ``two`` says so, with the one after it."""
    now, line = body[index], body[index].lineno
    after = body[index + 1] if two else None

    def put(statements: list, question: str, kind: str, number: int = 1, adds: bool = False, at: int = line):
        return _while(body, index, number, statements, Change(at, question, adds, kind))

    if after is not None and not isinstance(after, ast.Return):
        yield from put([after, now], _ORDER, "order", 2)
    for each in _accumulated(now):
        yield from put([each], _KEPT, "accumulate", adds=True)
    yield from _other_name_throughout(now, scope)
    if isinstance(now, ast.AugAssign):
        target = changed(now.target, ctx=ast.Load())
        for value in (now.value, ast.BinOp(target, now.op, now.value)):
            yield from put([ast.Assign([now.target], value, lineno=line)], _KEPT, "assignment")
        for op in (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.BitOr):
            if not isinstance(now.op, op):
                yield from put([changed(now, op=op())], _KEPT, "assignment")
    if isinstance(now, ast.For | ast.While) and len(now.body) > 1:
        last = now.body[-1]
        yield from put([changed(now, body=now.body[:-1]), last], _NEEDED, "out of loop", at=last.lineno)
    if isinstance(now, ast.For) and after is not None:
        longer = changed(now, body=[*now.body, after])
        yield from put([longer], _NEEDED, "into loop", 2, at=after.lineno)
    if isinstance(now, ast.If):
        yield from put(now.body, _NEEDED, "condition")
        yield from put([changed(now, test=made("not test", test=now.test))], WHICH_WAY, "opposite")
    if isinstance(now, ast.Break | ast.Continue):
        yield from put([ast.Continue() if isinstance(now, ast.Break) else ast.Break()], _NEEDED, "break")
    if not isinstance(now, ast.Return):
        yield from put([ast.Pass()], _NEEDED, "dropped")


def _is_usable(statement: ast.stmt, scope: Scope) -> bool:
    inner = isinstance(statement, ast.FunctionDef | ast.ClassDef)
    return not inner and not _is_guard(statement) and _ran(statement, scope)


def _accumulated(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Add to what a name held before, or multiply with it; one after the other where several get their values."""
    if not isinstance(statement, ast.Assign):
        return
    target, value = statement.targets[0], statement.value
    several = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts)
    for text in ("before + now", "before * now"):
        for place, each in enumerate(target.elts if several else [target]):
            if isinstance(each, ast.Name):
                more = made(text, before=name(each.id), now=value.elts[place] if several else value)
                both = changed(value, elts=replaced(value.elts, place, more)) if several else more
                yield changed(statement, value=both)


def _other_name_throughout(statement: ast.stmt, scope: Scope) -> Iterator[Change]:
    """Exchange a name that stands several times in a statement for another of its kind, at all its places."""
    places: dict[str, list[ast.Name]] = {}
    for node in ast.walk(statement) if not hasattr(statement, "body") else ():
        if isinstance(node, ast.Name) and is_read(node):
            places.setdefault(node.id, []).append(node)
    for before, nodes in places.items():
        for other in scope.like(before) if len(nodes) > 1 else ():
            for node in nodes:
                node.id = other
            yield Change(statement.lineno, WHICH_NAME, False, "names")
            for node in nodes:
                node.id = before


def _while(body: list, start: int, number: int, statements: list, change: Change) -> Iterator[Change]:
    """Put statements in the place of some, as long as the change is looked at."""
    before = body[start : start + number]
    for each in statements:
        ast.fix_missing_locations(each if hasattr(each, "lineno") else ast.copy_location(each, before[0]))
    body[start : start + number] = statements
    yield change
    body[start : start + len(statements)] = before


def _bodies(node: ast.AST) -> Iterator[list]:
    for each in ast.walk(node):
        for part in ("body", "orelse"):
            statements = getattr(each, part, None)
            if isinstance(statements, list) and not isinstance(each, ast.ClassDef):
                yield statements
