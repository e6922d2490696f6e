"""Build on exercises that one has solved, in the place of the library's parts.

Each task of an exercise stands alone in one cell, and what it needs from earlier exercises is imported in the
notebook's first cell of code. So a solved notebook can be run again, task by task, and what it defines can take the
place of what a later notebook has imported under the same name.
"""

import ast
import json
import os
import re
from collections.abc import Iterable, MutableMapping
from pathlib import Path
from typing import Any

_LIBRARY, _OWN = "transformer_course.", "own_notebooks."


def use_own_notebooks(notebooks: Iterable[str | Path], namespace: MutableMapping[str, Any]) -> dict[str, str]:
    """Put the functions and classes of solved exercises in the place of those imported from the library.

    A notebook is given what the notebooks before it in the list define, so they should stand in the order of the
    course. A task that still holds ``raise NotImplementedError`` is left out, and the library's version stays. While
    nbgrader grades, nothing is replaced: a mistake in an earlier exercise costs no points in a later one.

    Args:
        notebooks: paths of notebooks.
        namespace: such as ``globals()``; names in it that were imported from the library, or replaced by an earlier
            call, are replaced.

    Returns:
        For each name that was replaced, the notebook that it comes from.

    Raises:
        ValueError: if a path does not lead to a notebook.
    """
    if os.environ.get("NBGRADER_EXECUTION") == "autograde":
        return {}
    pieces: dict[str, Any] = {}
    for path in map(Path, notebooks):
        pieces |= _pieces(path, pieces)
    return {name: pieces[name].__module__.removeprefix(_OWN) for name in _replace(namespace, pieces)}


def _replace(namespace: MutableMapping[str, Any], pieces: dict[str, Any]) -> list[str]:
    names = [
        name
        for name in pieces
        if name in namespace and str(getattr(namespace[name], "__module__", "")).startswith((_LIBRARY, _OWN))
    ]
    for name in names:
        namespace[name] = pieces[name]
    return names


def _pieces(path: Path, earlier: dict[str, Any]) -> dict[str, Any]:
    """Run the imports and the solved tasks of one notebook; return the functions and classes of the tasks."""
    namespace: dict[str, Any] = {"__name__": _OWN + path.stem}
    found: dict[str, Any] = {}
    for number, (source, is_task) in enumerate(_code_cells(path)):
        if number > 0 and not is_task:
            continue
        try:
            tree = plain_python(source)
            names = [each.name for each in tree.body if isinstance(each, ast.FunctionDef | ast.ClassDef)]
            if number > 0 and (not names or is_unsolved(tree)):
                continue
            exec(compile(tree, f"<{path.stem}>", "exec"), namespace)
        except Exception as error:
            error.add_note(f"This happened in a cell of {path}: {source.splitlines()[0]}")
            raise
        if number == 0:
            _replace(namespace, earlier)
        found |= {name: namespace[name] for name in names}
    return found


def plain_python(source: str) -> ast.Module:
    """Parse a cell without what IPython adds to Python: magics, commands of the shell, questions after help."""
    from IPython.core.inputtransformer2 import TransformerManager

    source = re.sub(r"\A\s*%%(time|capture)\b.*", "", source)  # below these two stands Python
    return _WithoutIPython().visit(ast.parse(TransformerManager().transform_cell(source)))


class _WithoutIPython(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr | ast.Assign) -> ast.stmt:
        is_magic = any(isinstance(each, ast.Name) and each.id == "get_ipython" for each in ast.walk(node))
        return ast.copy_location(ast.Pass(), node) if is_magic else node

    visit_Assign = visit_Expr


def is_unsolved(tree: ast.AST) -> bool:
    """Say whether a parsed cell still raises NotImplementedError."""
    return any(
        isinstance(each, ast.Raise) and each.exc is not None and "NotImplementedError" in ast.unparse(each.exc)
        for each in ast.walk(tree)
    )


def _code_cells(path: Path) -> list[tuple[str, bool]]:
    """Read the source of each cell of code, and whether it is a task's."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"notebooks: expected the path of a solved notebook, got {path} ({error})") from None
    return [
        ("".join(cell["source"]), cell.get("metadata", {}).get("nbgrader", {}).get("solution") is True)
        for cell in cells
        if cell["cell_type"] == "code"
    ]
