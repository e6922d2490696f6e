"""What can be said of a submission by reading it: uses of named functions, and tricks that have no honest purpose."""

import ast
from fnmatch import fnmatchcase

from course_grader.judge.magics import python_source
from course_grader.messages import Rules
from course_grader.notebooks import LOCKED, SOLUTION, MergedCell

_TRICKS = {
    "ast_transformers": "changes how cells are compiled",
    "input_transformers_post": "changes how cells are read",
    "input_transformers_cleanup": "changes how cells are read",
    "displayhook": "replaces the display of values",
    "settrace": "traces the program that runs it",
    "setprofile": "traces the program that runs it",
    "_getframe": "reads the frames of the program that runs it",
    "get_objects": "searches the memory of the program that runs it",
    "get_referrers": "searches the memory of the program that runs it",
}


def find_uses(cells: list[MergedCell], graded_by: Rules) -> list[str]:
    """Return one sentence for each named function, class or module that a learner's code mentions."""
    rules = {}
    for per_name in (graded_by.reported, graded_by.refused):
        for task, names in per_name.items():
            rules.setdefault(task, set()).update(names)
    found = []
    for cell in cells:
        if cell.type != "code" or (cell.released is not None and cell.kind not in (SOLUTION, "manual", "plain")):
            continue
        tree = _parse(cell.source)
        if tree is None:
            continue
        defined = set(cell.released.names) if cell.released else set()
        wanted = set().union(rules.get("*", set()), *(names for task, names in rules.items() if task in defined))
        mentioned = _mentioned(tree)
        where = f"cell {cell.id}" if cell.id else "a cell of the learner's own"
        found += [f"{where} mentions {name}" for name in sorted(wanted) if _matches(name, mentioned)]
        for module in graded_by.forbidden:
            if any(each == module or each.startswith(module + ".") for each in mentioned):
                found.append(f"{where} mentions {module}, which is not available")
    return found


def find_tricks(cells: list[MergedCell]) -> list[str]:
    """Return one sentence for each construction that only makes sense against a grader."""
    found = []
    for cell in cells:
        if cell.type != "code" or cell.kind in (LOCKED, "test"):
            continue
        tree = _parse(cell.source)
        names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} if tree else set()
        where = f"cell {cell.id}" if cell.id else "a cell of the learner's own"
        found += [f"{where} {what} ({name})" for name, what in _TRICKS.items() if name in names]
    return found


def _parse(source: str) -> ast.Module | None:
    try:
        return ast.parse(python_source(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _mentioned(tree: ast.Module) -> set[str]:
    """Return the dotted names that a cell mentions, with the usual abbreviations written out."""
    aliases = {"F": "torch.nn.functional", "nn": "torch.nn", "np": "numpy", "plt": "matplotlib.pyplot"}
    mentioned: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.split(".")[0]
                aliases[alias.asname or first] = alias.name if alias.asname else first
                mentioned.add(alias.name)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                aliases[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                mentioned.add(f"{node.module}.{alias.name}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            parts = _dotted(node)
            first = aliases.get(parts[0], parts[0]) if parts[0] else ""
            mentioned.add(".".join([first, *parts[1:]]) if first else f"?.{parts[-1]}")
            mentioned.add(f"?.{node.attr}" if parts[0] not in aliases and parts[0] != "torch" else "")
        elif isinstance(node, ast.Name) and node.id in aliases:
            mentioned.add(aliases[node.id])
    return mentioned


def _dotted(node: ast.Attribute) -> list[str]:
    parts = [node.attr]
    value = node.value
    while isinstance(value, ast.Attribute):
        parts.append(value.attr)
        value = value.value
    return [value.id if isinstance(value, ast.Name) else "", *reversed(parts)]


def _matches(name: str, mentioned: set[str]) -> bool:
    if "*" in name:
        return any(fnmatchcase(each, name) for each in mentioned)
    if name.startswith("torch.Tensor."):  # a method: any value may be the tensor
        return f"?.{name.rpartition('.')[2]}" in mentioned
    return name in mentioned
